import type { FieldError } from '../../../src/problem.ts';
import { fieldsOf, type TlField } from '../../../src/tl/field.ts';
import type { TlMethod } from '../../../src/tl/methods.ts';
import { Report } from '../../../src/tl/report.ts';
import { getSchema, type SchemaEntry } from '../../../src/tl/schema.ts';
import { isLong } from './is-long.ts';

const SCALARS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['int', (value: unknown) => Number.isInteger(value) && (value as number) === ((value as number) | 0)],
  ['int53', Number.isSafeInteger],
  ['double', Number.isFinite],
  ['long', (value: unknown) => typeof value === 'string' && isLong(value)],
  ['string', (value: unknown) => typeof value === 'string' && value.isWellFormed()],
  ['bytes', (value: unknown) => lengthOf(value) !== null],
  ['int128', (value: unknown) => lengthOf(value) === 16],
  ['int256', (value: unknown) => lengthOf(value) === 32],
  ['true', isBoolean],
  ['Bool', isBoolean],
]);

/** The differences of a call's result from its documented shape: all fields of the schema, every `true` flag, and no others. */
export function checkResult(method: TlMethod, result: unknown): FieldError[] {
  const report = new Report('/result');
  if (method.returnsVector) checkVectorResult(method.returnType, result, report);
  else if (method.returnType === 'Bool') checkBoolResult(result, report);
  else checkValue(method.returnType, result, report);
  return report.errors;
}

/** The differences of a TL object from the documented shape of its type (`Update`) or constructor (`updateNewMessage`). */
export function checkObject(typeOrConstructor: string, value: unknown): FieldError[] {
  const report = new Report('');
  const entry = getSchema().constructors.get(typeOrConstructor);
  if (entry === undefined) checkValue(typeOrConstructor, value, report);
  else if (tagOf(value) !== entry.name) report.add(`must be ${entry.name}`, '_');
  else checkMembers(entry, value as Record<string, unknown>, report);
  return report.errors;
}

function checkVectorResult(type: string, result: unknown, report: Report): void {
  if (tagOf(result) !== 'vector') {
    report.add('must be vector', '_');
    return;
  }
  const items = {
    name: 'items',
    type,
    isVector: true,
    isOptional: false,
    isFlag: false,
    comment: '',
  };
  checkFields([items], result as Record<string, unknown>, report);
}

function checkBoolResult(result: unknown, report: Report): void {
  const tag = tagOf(result);
  if (tag !== 'boolTrue' && tag !== 'boolFalse') report.add('must be boolTrue or boolFalse', '_');
  else checkFields([], result as Record<string, unknown>, report);
}

function checkValue(type: string, value: unknown, report: Report): void {
  const isScalar = SCALARS.get(type);
  if (isScalar) {
    if (!isScalar(value)) report.add(`must be ${type}, is ${JSON.stringify(value)}`);
    return;
  }
  const tag = tagOf(value);
  const entry = getSchema()
    .types.get(type)
    ?.find(({ name }) => name === tag);
  if (entry) checkMembers(entry, value as Record<string, unknown>, report);
  else report.add(`must be an object of type ${type}, is ${tag ?? JSON.stringify(value)}`);
}

function checkMembers(entry: SchemaEntry, value: Record<string, unknown>, report: Report): void {
  checkFields(fieldsOf(entry), value, report);
}

function checkFields(fields: TlField[], value: Record<string, unknown>, report: Report): void {
  for (const field of fields) {
    const member = value[field.name];
    if (member !== undefined) {
      report.enter(field.name);
      if (field.isVector) checkItems(field.type, member, report);
      else checkValue(field.type, member, report);
      report.leave();
    } else if (!field.isOptional || field.isFlag) report.add('is missing', field.name);
  }
  const known = new Set(['_', ...fields.map(({ name }) => name)]);
  for (const name of Object.keys(value)) if (!known.has(name)) report.add('there is no such field', name);
}

function checkItems(type: string, items: unknown, report: Report): void {
  if (!Array.isArray(items)) {
    report.add('must be an array');
    return;
  }
  for (const [index, item] of items.entries()) {
    report.enter(index);
    checkValue(type, item, report);
    report.leave();
  }
}

function tagOf(value: unknown): string | undefined {
  const tag = (value as { _?: unknown } | null | undefined)?._;
  return typeof tag === 'string' ? tag : undefined;
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

function lengthOf(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  const bytes = Buffer.from(value, 'base64');
  return bytes.toString('base64') === value ? bytes.length : null;
}
