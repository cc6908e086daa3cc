import { checkBytes } from './bytes-check.ts';
import { isListHash, type TlField } from './field.ts';
import { checkEmptyableLong, checkLong } from './long-check.ts';
import type { Report } from './report.ts';
import type { SchemaEntry } from './schema.ts';

/** Checks one value, returns its normal form, and adds its errors to the report. */
export type ValueCheck = (value: unknown, report: Report, depth: number) => unknown;

const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;

const SCALARS: ReadonlyMap<string, ValueCheck> = new Map<string, ValueCheck>([
  ['int', checkInt32],
  ['int53', checkInt53],
  ['long', checkLong],
  ['double', checkDouble],
  ['string', checkString],
  ['bytes', (value, report) => checkBytes(value, report, null)],
  ['int128', (value, report) => checkBytes(value, report, 16)],
  ['int256', (value, report) => checkBytes(value, report, 32)],
  ['true', checkBoolean],
  ['Bool', checkBoolean],
]);

/** The check for a scalar type of a field, or of its items; null if that is an object type. */
export function checkOfScalar(owner: SchemaEntry, field: TlField): ValueCheck | null {
  return isListHash(owner, field) ? checkEmptyableLong : (SCALARS.get(field.type) ?? null);
}

/** The check for an array whose items all pass `check`. */
export function checkOfVector(check: ValueCheck): ValueCheck {
  return function checkVector(value, report, depth) {
    if (!Array.isArray(value)) {
      report.add('must be an array');
      return value;
    }
    const copy: unknown[] = [];
    for (let index = 0; index < value.length && !report.isFull; index += 1) {
      report.enter(index);
      copy.push(check(value[index], report, depth));
      report.leave();
    }
    return copy;
  };
}

// Adding 0 turns -0 into 0, as JSON text has it.
function checkInt32(value: unknown, report: Report): unknown {
  if (Number.isInteger(value) && (value as number) >= INT32_MIN && (value as number) <= INT32_MAX)
    return (value as number) + 0;
  report.add(`must be ${nameOf(value)}a 32-bit integer`);
  return value;
}

function checkInt53(value: unknown, report: Report): unknown {
  if (Number.isSafeInteger(value)) return (value as number) + 0;
  report.add(`must be ${nameOf(value)}an integer between -(2^53-1) and 2^53-1`);
  return value;
}

function checkDouble(value: unknown, report: Report): unknown {
  if (Number.isFinite(value)) return (value as number) + 0;
  report.add('must be a finite number');
  return value;
}

function checkBoolean(value: unknown, report: Report): unknown {
  if (typeof value !== 'boolean') report.add('must be true or false');
  return value;
}

function checkString(value: unknown, report: Report): unknown {
  if (typeof value !== 'string') report.add('must be a string');
  else if (!value.isWellFormed()) report.add('holds half of a surrogate pair, which UTF-8 cannot say');
  return value;
}

function nameOf(value: unknown): string {
  return typeof value === 'string' ? 'a JSON number, not a string: ' : '';
}
