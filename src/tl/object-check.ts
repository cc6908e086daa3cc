import type { Report } from './report.ts';
import { camelCase, type SchemaEntry, schema } from './schema.ts';
import { suggestName } from './suggest-name.ts';
import { type Check, checkerOfType } from './value-check.ts';

/** Checks the members of an object that is known to be one, and gives the normalised copy. */
export type ObjectCheck = (
  value: Record<string, unknown>,
  report: Report,
  depth: number,
) => Record<string, unknown>;

interface Field {
  name: string;
  optional: boolean;
  flag: boolean;
  check: Check;
}

const DEPTH_MAX = 64;
const LISTED_MAX = 12;

const compiled = new Map<string, ObjectCheck>();

/** Compiles the check of a constructor, or of a method's params (`dropTag`: its `_` may be absent and is not kept). */
export function compileObject(entry: SchemaEntry, { dropTag }: { dropTag: boolean }): ObjectCheck {
  const fields = entry.arguments
    .filter(({ type }) => type !== '#')
    .map((field) => compileField(field, entry, dropTag));
  const names = new Set(fields.map(({ name }) => name));
  return function checkObject(value, report, depth) {
    const copy: Record<string, unknown> = dropTag ? {} : { _: entry.name };
    const tag = value._;
    if (dropTag && tag !== undefined && tag !== entry.name) report.add(`must be "${entry.name}"`, '_');
    let known = tag === undefined ? 0 : 1;
    for (const field of fields) {
      if (Object.hasOwn(value, field.name)) {
        known += 1;
        checkField(field, value[field.name], copy, report, depth);
      } else if (!field.optional) report.add('is missing', field.name);
    }
    const given = Object.keys(value);
    if (given.length > known) refuseUnknown(given, names, report);
    return copy;
  };
}

function checkField(
  field: Field,
  value: unknown,
  copy: Record<string, unknown>,
  report: Report,
  depth: number,
): void {
  report.enter(field.name);
  const checked = field.check(value, report, depth);
  report.leave();
  // A flag that is not set is an absent one.
  if (!field.flag || checked === true) copy[field.name] = checked;
}

function compileField(field: SchemaEntry['arguments'][number], entry: SchemaEntry, isMethod: boolean): Field {
  const name = camelCase(field.name);
  const { predicate, isVector = false } = field.typeModifiers ?? {};
  // A `randomId` that is left out is derived from the call.
  const derived = isMethod && entry.kind === 'method' && field.name === 'random_id' && field.type === 'long';
  return {
    name,
    optional: predicate !== undefined || derived,
    flag: field.type === 'true',
    check: checkerOfType(field.type, isVector, name, unionChecker),
  };
}

function refuseUnknown(given: string[], names: ReadonlySet<string>, report: Report): void {
  for (const name of given) {
    if (name === '_' || names.has(name)) continue;
    const meant = suggestName(name, names);
    report.add(
      meant === null ? 'there is no such field' : `there is no such field; did you mean \`${meant}\`?`,
      name,
    );
    if (report.isFull) return;
  }
}

function unionChecker(type: string): Check {
  return (value, report, depth) => checkUnion(type, value, report, depth);
}

/** Checks a value that may be any constructor of a type. */
export function checkUnion(type: string, value: unknown, report: Report, depth: number): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report.add(`must be an object of type ${type}`);
    return value;
  }
  if (depth >= DEPTH_MAX) {
    report.add(`is nested deeper than ${DEPTH_MAX} levels`);
    return value;
  }
  const name = (value as { _?: unknown })._;
  const entry = typeof name === 'string' ? schema.constructors.get(name) : undefined;
  if (entry?.type !== type) {
    refuseConstructor(type, name, report);
    return value;
  }
  let check = compiled.get(entry.name);
  if (!check) {
    check = compileObject(entry, { dropTag: false });
    compiled.set(entry.name, check);
  }
  return check(value as Record<string, unknown>, report, depth + 1);
}

function refuseConstructor(type: string, name: unknown, report: Report): void {
  const names = schema.unions.get(type) ?? [];
  if (name === undefined) {
    report.add(`is missing: one of ${listed(names)}`, '_');
    return;
  }
  const meant = typeof name === 'string' ? suggestName(name, names) : null;
  const hint = meant === null ? '' : `; did you mean \`${meant}\`?`;
  report.add(`must be one of ${listed(names)}${hint}`, '_');
}

function listed(names: string[]): string {
  const shown = names.slice(0, LISTED_MAX).map((name) => `\`${name}\``);
  return names.length > LISTED_MAX
    ? `${shown.join(', ')} and ${names.length - LISTED_MAX} more`
    : shown.join(', ');
}
