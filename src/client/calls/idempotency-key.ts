/** A new random key. */
export function newIdempotencyKey(): string {
  // `randomUUID` is missing in pages that are not served over https.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The header of a key: a quoted string, which may have any printable character. */
export function keyHeader(key: string): Record<string, string> {
  return { 'idempotency-key': `"${key.replace(/["\\]/g, '\\$&')}"` };
}
