import { fieldsOf, type TlField } from './field.ts';
import { isDerivedRandomId } from './random-id.ts';
import type { Report } from './report.ts';
import { getSchema, type SchemaEntry } from './schema.ts';
import { suggestName } from './suggest-name.ts';
import { checkOfScalar, checkOfVector, type ValueCheck } from './value-check.ts';

/** Checks the members of an object and returns its normalised copy. */
export type ObjectCheck = (
  value: Record<string, unknown>,
  report: Report,
  depth: number,
) => Record<string, unknown>;

interface FieldCheck {
  name: string;
  isOptional: boolean;
  isFlag: boolean;
  check: ValueCheck;
}

const DEPTH_MAX = 64;
const LISTED_MAX = 12;
const NAME_MAX = 128;

const compiled = new Map<string, ObjectCheck>();

/** Compiles the check of a constructor or of a method's params. The params' own `_` is optional and dropped. */
export function compileObject(entry: SchemaEntry): ObjectCheck {
  const isMethod = entry.kind === 'method';
  const fields = fieldsOf(entry).map((field) => compileField(field, entry));
  const names = fields.map(({ name }) => name);
  return function checkMembers(value, report, depth) {
    const copy: Record<string, unknown> = isMethod ? {} : { _: entry.name };
    let known = 0;
    if (value._ !== undefined) {
      known = 1;
      if (value._ !== entry.name) report.add(`must be "${entry.name}", or left out`, '_');
    }
    for (const field of fields) {
      const member = value[field.name];
      if (member !== undefined) {
        known += 1;
        checkMember(field, member, copy, report, depth);
      } else if (!field.isOptional) report.add('is missing', field.name);
    }
    const given = Object.keys(value);
    if (given.length > known) reportUnknown(given, names, report);
    return copy;
  };
}

function checkMember(
  field: FieldCheck,
  value: unknown,
  copy: Record<string, unknown>,
  report: Report,
  depth: number,
): void {
  report.enter(field.name);
  if (value === null) {
    report.add(field.isOptional ? 'must not be null: leave it out' : 'must not be null');
  } else {
    const checked = field.check(value, report, depth);
    // In the normal form an unset flag is absent.
    if (!field.isFlag || checked === true) copy[field.name] = checked;
  }
  report.leave();
}

function compileField(field: TlField, owner: SchemaEntry): FieldCheck {
  const check = checkOfScalar(owner, field) ?? checkOfType(field.type);
  return {
    name: field.name,
    isOptional: field.isOptional || isDerivedRandomId(owner, field),
    isFlag: field.isFlag,
    check: field.isVector ? checkOfVector(check) : check,
  };
}

function checkOfType(type: string): ValueCheck {
  const constructors = getSchema().types.get(type) ?? [];
  const names = constructors.map(({ name }) => name);
  return function checkObject(value, report, depth) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      report.add(report.explains ? `must be an object: ${describe(type, names)}` : 'must be an object');
      return value;
    }
    // Types contain each other, so the depth of a request is not bounded by the schema.
    if (depth >= DEPTH_MAX) {
      report.add(`is nested deeper than ${DEPTH_MAX} levels`);
      return value;
    }
    const tag = (value as { _?: unknown })._;
    const entry = typeof tag === 'string' ? getSchema().constructors.get(tag) : undefined;
    if (entry?.type !== type) {
      report.add(report.explains ? refusalOfTag(tag, type, names) : `is no constructor of ${type}`, '_');
      return value;
    }
    return checkOfConstructor(entry)(value as Record<string, unknown>, report, depth + 1);
  };
}

function checkOfConstructor(entry: SchemaEntry): ObjectCheck {
  let check = compiled.get(entry.name);
  if (!check) {
    check = compileObject(entry);
    compiled.set(entry.name, check);
  }
  return check;
}

function refusalOfTag(tag: unknown, type: string, names: readonly string[]): string {
  if (tag === undefined) return `is missing: ${describe(type, names)}`;
  const meant = typeof tag === 'string' ? suggestName(tag, names) : null;
  const hint = meant === null ? '' : `did you mean \`${meant}\`? `;
  return `is no constructor of ${type}: ${hint}${describe(type, names)}`;
}

function describe(type: string, names: readonly string[]): string {
  const listed = names.map((name) => `\`${name}\``).join(', ');
  return names.length === 1 ? `the one constructor of ${type} is ${listed}` : `${type} is one of ${listed}`;
}

// For larger objects, the list would be longer than the error.
function knownFields(names: readonly string[]): string {
  if (names.length === 0) return ': it has none';
  return names.length > LISTED_MAX
    ? ': `GET /v1/methods/{name}` shows those there are'
    : `: known are ${names.map((name) => `\`${name}\``).join(', ')}`;
}

function reportUnknown(given: readonly string[], names: readonly string[], report: Report): void {
  for (const name of given) {
    if (report.isFull) return;
    if (name === '_' || names.includes(name)) continue;
    const meant = report.explains ? suggestName(name, names) : null;
    if (name.length > NAME_MAX) {
      report.add(`there is no such field as \`${name.slice(0, NAME_MAX)}…\``);
    } else if (meant === null) {
      report.add(
        report.explains ? `there is no such field${knownFields(names)}` : 'there is no such field',
        name,
      );
    } else {
      report.add(`there is no such field, did you mean \`${meant}\`?`, name);
    }
  }
}
