import type { Report } from './report.ts';

/** Checks one value and gives its normal form; what is wrong goes to the report. */
export type Check = (value: unknown, report: Report, depth: number) => unknown;

const INT32_MAX = 2 ** 31 - 1;
const LONG_FORM = /^-?\d{1,19}$/;
// Canonical, and within 64 bits without a closer look.
const SHORT_LONG = /^(?:0|-?[1-9]\d{0,17})$/;
const LONG_MAX = 2n ** 63n - 1n;
const LONG_MIN = -(2n ** 63n);
const BASE64_FORM = /^[A-Za-z0-9+/_-]*={0,2}$/;

const PRIMITIVES: Record<string, Check> = {
  int: (value, report) => checkInteger(value, report, -INT32_MAX - 1, INT32_MAX, 'a 32-bit integer'),
  int53: (value, report) =>
    checkInteger(value, report, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 'an integer'),
  double: checkDouble,
  string: checkString,
  bytes: (value, report) => checkBytes(value, report, null),
  int128: (value, report) => checkBytes(value, report, 16),
  int256: (value, report) => checkBytes(value, report, 32),
  true: checkBoolean,
  Bool: checkBoolean,
};

/** The check of a TL type, as a field called `name`; `unionOf` makes those of the types that are not primitive. */
export function checkerOfType(
  type: string,
  isVector: boolean,
  name: string,
  unionOf: (type: string) => Check,
): Check {
  const check = type === 'long' ? longChecker(name) : (PRIMITIVES[type] ?? unionOf(type));
  return isVector ? vectorChecker(check) : check;
}

function vectorChecker(check: Check): Check {
  return function checkVector(value, report, depth) {
    if (!Array.isArray(value)) {
      report.add('must be an array');
      return value;
    }
    const copy = new Array(value.length);
    for (let i = 0; i < value.length && !report.isFull; i += 1) {
      report.enter(i);
      copy[i] = check(value[i], report, depth);
      report.leave();
    }
    return copy;
  };
}

function checkInteger(value: unknown, report: Report, min: number, max: number, what: string): unknown {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value + 0;
  report.add(`must be ${what}`);
  return value;
}

function checkDouble(value: unknown, report: Report): unknown {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  report.add('must be a number');
  return value;
}

function checkBoolean(value: unknown, report: Report): unknown {
  if (typeof value !== 'boolean') report.add('must be true or false');
  return value;
}

function checkString(value: unknown, report: Report): unknown {
  if (typeof value !== 'string') report.add('must be a string');
  else if (!value.isWellFormed()) report.add('holds half of a surrogate pair, which is not text');
  return value;
}

function longChecker(name: string): Check {
  const mayBeEmpty = name === 'hash';
  return function checkLong(value, report) {
    if (typeof value === 'number') {
      report.add(`must be a string: a 64-bit integer does not fit a JSON number; send "${value}"`);
    } else if (value === '' && mayBeEmpty) {
      return '0';
    } else if (typeof value === 'string' && LONG_FORM.test(value)) {
      if (SHORT_LONG.test(value)) return value;
      const long = BigInt(value);
      if (long >= LONG_MIN && long <= LONG_MAX) return long.toString();
      report.add('does not fit 64 bits');
    } else {
      report.add('must be a string with a signed 64-bit integer in decimal');
    }
    return value;
  };
}

function checkBytes(value: unknown, report: Report, length: number | null): unknown {
  if (typeof value !== 'string' || !BASE64_FORM.test(value)) {
    report.add('must be a string in base64');
    return value;
  }
  const digits = value.replace(/=+$/, '');
  const padded = value.length !== digits.length;
  if (digits.length % 4 === 1 || (padded && value.length % 4 !== 0)) {
    report.add('is cut short: it is not whole base64');
    return value;
  }
  const bytes = Buffer.from(digits, 'base64');
  if (length !== null && bytes.length !== length) report.add(`must hold exactly ${length} bytes`);
  return bytes.toString('base64');
}
