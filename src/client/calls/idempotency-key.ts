import { ApiError } from '../errors.ts';

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

/** The error of a call whose key belongs to an async call although it is none, or the other way round. */
export function keyOfOtherKind(): ApiError {
  return new ApiError({
    type: 'about:blank',
    title: 'The Idempotency-Key was used for another kind of call',
    status: 422,
    code: 'idempotency_key_reused',
    detail: 'Of an async call and one that is not, each needs a key of its own.',
    retryable: false,
  });
}
