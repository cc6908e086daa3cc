import { ApiError } from '../errors.ts';

/** A new random key. */
export function newIdempotencyKey(): string {
  // `randomUUID` is missing in pages that are not served over https.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The header of a key, as a quoted string: a key may have any printable ASCII character. */
export function keyHeader(key: string): Record<string, string> {
  return { 'idempotency-key': `"${key.replace(/["\\]/g, '\\$&')}"` };
}

/** The error of a sync call whose key belongs to an async call, or the other way round. */
export function keyOfOtherKind(): ApiError {
  return new ApiError({
    type: 'about:blank',
    title: 'The Idempotency-Key was used for another kind of call',
    status: 422,
    code: 'idempotency_key_reused',
    detail: 'A sync call and an async call cannot share a key: give each its own.',
    retryable: false,
  });
}
