import { Problem } from '../../problem.ts';

/** The most characters of a key. */
export const IDEMPOTENCY_KEY_MAX = 255;

const BARE = /^[\x21\x23-\x7e]+$/;
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)"$/;

/** Reads an `Idempotency-Key` header, bare or a quoted string; null without one. Throws `invalid_header`. */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const key = typeof header === 'string' ? unquote(header) : undefined;
  if (key !== undefined && key.length <= IDEMPOTENCY_KEY_MAX) return key;
  throw new Problem('invalid_header', {
    detail: `Idempotency-Key must be one string of 1 to ${IDEMPOTENCY_KEY_MAX} printable ASCII characters: quote it if it has a space.`,
  });
}

function unquote(header: string): string | undefined {
  const quoted = QUOTED.exec(header)?.[1];
  if (quoted !== undefined) return quoted.replace(/\\(["\\])/g, '$1');
  return BARE.test(header) ? header : undefined;
}
