import { fieldsOf, type TlField } from './field.ts';
import { getSchema, type SchemaEntry } from './schema.ts';

type Fill = (value: object) => object;

const IDENTIFIER = /^[A-Za-z_]\w*$/;

const compiled = new Map<string, Fill>();

/**
 * A copy of a TL object as results show it: at every depth, every `true` flag present (true or false), fields in the schema's order, and
 * no fields unknown to the schema. Values that are not TL objects are copied as they are.
 */
export function fillFlags<T extends object>(value: T): T {
  const { _: name } = value as { _?: unknown };
  return (compiled.get(name as string) ?? compileFill(name))(value) as T;
}

/** The same for a value that may be a TL object, a list of them, or neither. */
export function fillNested(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fillNested);
  return typeof value === 'object' && value !== null && '_' in value ? fillFlags(value) : value;
}

function compileFill(name: unknown): Fill {
  const entry = typeof name === 'string' ? getSchema().constructors.get(name) : undefined;
  if (!entry) throw new TypeError(`The TL schema has no constructor ${JSON.stringify(name)}`);
  const fill = generateFill(entry);
  compiled.set(entry.name, fill);
  return fill;
}

// In V8 an object whose fields are set in a loop becomes a hash table: 20 times slower to build, and three times slower to serialize, than
// one that is built by code naming each field.
function generateFill(entry: SchemaEntry): Fill {
  const body = [
    `const copy = { _: ${JSON.stringify(entry.name)} };`,
    'let member;',
    ...fieldsOf(entry).map(statementFor),
    'return copy;',
  ].join('\n');
  return new Function('fillNested', `return function fill(value) {\n${body}\n}`)(fillNested) as Fill;
}

function statementFor({ name, type, isFlag }: TlField): string {
  if (!IDENTIFIER.test(name)) throw new TypeError(`The TL schema has a field ${JSON.stringify(name)}`);
  if (isFlag) return `copy.${name} = value.${name} === true;`;
  const taken = getSchema().types.has(type) ? 'fillNested(member)' : 'member';
  return `if ((member = value.${name}) !== undefined) copy.${name} = ${taken};`;
}
