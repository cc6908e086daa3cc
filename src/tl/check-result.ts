import type { FieldError } from '../problem.ts';
import type { TlMethod } from './methods.ts';
import { Report } from './report.ts';
import { camelCase, type SchemaField, schema } from './schema.ts';

const LONG_FORM = /^(?:0|-?[1-9]\d{0,18})$/;
const BASE64_FORM = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const PRIMITIVES: Record<string, (value: unknown) => boolean> = {
  int: (value) => Number.isInteger(value) && Math.abs(value as number) <= 2 ** 31,
  int53: (value) => Number.isSafeInteger(value),
  double: (value) => Number.isFinite(value),
  long: (value) => typeof value === 'string' && LONG_FORM.test(value),
  string: (value) => typeof value === 'string',
  bytes: isBase64,
  int128: isBase64,
  int256: isBase64,
  true: (value) => typeof value === 'boolean',
  Bool: (value) => typeof value === 'boolean',
};

/** What in a method's result is not as the schema has it: every required field there, nothing else, every `true` flag present. */
export function checkResult(method: TlMethod, result: unknown): FieldError[] {
  const report = new Report('/result');
  if (method.returnsVector) {
    const items = (result as { _?: unknown; items?: unknown[] }).items;
    if ((result as { _?: unknown })._ !== 'vector' || !Array.isArray(items)) report.add('must be a vector');
    else checkItems(method.returns, items, report);
  } else if (method.returns === 'Bool') {
    const tag = (result as { _?: unknown })._;
    if (tag !== 'boolTrue' && tag !== 'boolFalse') report.add('must be boolTrue or boolFalse');
  } else {
    checkType(method.returns, result, report);
  }
  return report.errors;
}

/** What in a TL object is not as its type has it; an update, say, or a stored message. */
export function checkObject(type: string, value: unknown): FieldError[] {
  const report = new Report('');
  checkType(type, value, report);
  return report.errors;
}

function checkType(type: string, value: unknown, report: Report): void {
  const primitive = PRIMITIVES[type];
  if (primitive) {
    if (!primitive(value)) report.add(`must be ${type}, is ${JSON.stringify(value)}`);
    return;
  }
  const name = typeof value === 'object' && value !== null ? (value as { _?: unknown })._ : undefined;
  const entry = typeof name === 'string' ? schema.constructors.get(name) : undefined;
  if (entry?.type !== type) {
    report.add(`must be of type ${type}, is ${JSON.stringify(name)}`);
    return;
  }
  checkFields(entry.arguments, value as Record<string, unknown>, report);
}

function checkFields(fields: SchemaField[], value: Record<string, unknown>, report: Report): void {
  const names = new Set(['_']);
  for (const field of fields) {
    if (field.type === '#') continue;
    const name = camelCase(field.name);
    names.add(name);
    const { predicate, isVector } = field.typeModifiers ?? {};
    const given = value[name];
    if (given === undefined) {
      if (predicate === undefined || field.type === 'true') report.add('is missing', name);
      continue;
    }
    report.enter(name);
    if (isVector) checkItems(field.type, given, report);
    else checkType(field.type, given, report);
    report.leave();
  }
  for (const name of Object.keys(value)) if (!names.has(name)) report.add('there is no such field', name);
}

function checkItems(type: string, items: unknown, report: Report): void {
  if (!Array.isArray(items)) {
    report.add('must be an array');
    return;
  }
  for (const [index, item] of items.entries()) {
    report.enter(index);
    checkType(type, item, report);
    report.leave();
  }
}

function isBase64(value: unknown): boolean {
  return typeof value === 'string' && BASE64_FORM.test(value);
}
