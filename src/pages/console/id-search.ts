const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 10;
// The API takes years of four digits.
const LATEST_MS = Date.UTC(9999, 0);

/**
 * The creation times of workspaces whose ids begin with this text, as filters of a list: the first ten digits of an id are its time. Null
 * if no id can begin with it.
 */
export function creationRange(text: string): { createdAfter?: string; createdBefore?: string } | null {
  const digits = /^ws_([0-9a-z]*)$/.exec(text)?.[1]?.slice(0, TIME_DIGITS);
  if (text === '' || digits === '') return {};
  if (digits === undefined || [...digits].some((digit) => !ALPHABET.includes(digit))) return null;
  const first = decode(digits.padEnd(TIME_DIGITS, '0'));
  const last = decode(digits.padEnd(TIME_DIGITS, 'z'));
  return { createdAfter: toTime(first), createdBefore: toTime(last + 1) };
}

function decode(digits: string): number {
  return [...digits].reduce((number, digit) => number * 32 + ALPHABET.indexOf(digit), 0);
}

function toTime(ms: number): string {
  return new Date(Math.min(ms, LATEST_MS)).toISOString();
}
