import { Problem } from '../../problem.ts';

const BARE = /^[\x21\x23-\x7e]{1,255}$/;
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/;

/** The key of an `Idempotency-Key` header, written bare or as a quoted string; null where there is none. */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header === 'string') {
    const quoted = QUOTED.exec(header)?.[1];
    if (quoted !== undefined) return quoted.replace(/\\(["\\])/g, '$1');
    if (BARE.test(header)) return header;
  }
  throw new Problem('invalid_header', {
    detail: 'Idempotency-Key must be one string of 1 to 255 printable ASCII characters, quoted or not.',
  });
}
