import type { Report } from './report.ts';

const CANONICAL = /^(?:0|-?[1-9]\d{0,18})$/;
// A number of at most this many characters fits into 64 bits.
const SURELY_FITS = 18;
const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;

/** Checks a 64-bit integer in its canonical decimal form: no plus, no leading zeros, no `-0`. */
export function checkLong(value: unknown, report: Report): unknown {
  if (typeof value === 'string' && CANONICAL.test(value)) {
    if (!fits(value)) report.add('does not fit a signed 64-bit integer');
  } else if (typeof value === 'number') {
    report.add(`must be a string, since a JSON number cannot hold every 64-bit integer${example(value)}`);
  } else {
    report.add('must be a string with a signed 64-bit integer in decimal, such as "-42"');
  }
  return value;
}

/** Like `checkLong`, but the empty text is 0. */
export function checkEmptyableLong(value: unknown, report: Report): unknown {
  return value === '' ? '0' : checkLong(value, report);
}

/** Whether a text is a 64-bit integer in its canonical decimal form. */
export function isLong(text: string): boolean {
  return CANONICAL.test(text) && fits(text);
}

function fits(text: string): boolean {
  if (text.length <= SURELY_FITS) return true;
  const long = BigInt(text);
  return long >= MIN && long <= MAX;
}

// A JavaScript number beyond 2^53 has lost digits, so repeating it would suggest a wrong value.
function example(value: number): string {
  return Number.isSafeInteger(value) ? `: send "${value + 0}"` : '';
}
