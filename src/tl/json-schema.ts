import { plainText, type TlMethod } from './methods.ts';
import { camelCase, type SchemaEntry, type SchemaField, schema } from './schema.ts';

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Record<string, unknown>;

/** The schemas that others refer to, by their name under `#/components/schemas`. */
export type Components = Map<string, JsonSchema>;

const LONG = { type: 'string', pattern: '^-?\\d{1,19}$', description: 'A 64-bit integer in decimal.' };
const BYTES = { type: 'string', contentEncoding: 'base64' };

const PRIMITIVES: Record<string, JsonSchema> = {
  int: { type: 'integer', format: 'int32', minimum: -2_147_483_648, maximum: 2_147_483_647 },
  int53: {
    type: 'integer',
    format: 'int64',
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
  },
  double: { type: 'number' },
  long: LONG,
  string: { type: 'string' },
  bytes: BYTES,
  int128: BYTES,
  int256: BYTES,
  true: { type: 'boolean' },
  Bool: { type: 'boolean' },
};

/** The schema of a method's params; what it refers to is added to `components`. */
export function paramsSchema({ entry }: TlMethod, components: Components): JsonSchema {
  const { required, properties } = members(entry, components, false);
  const needed = required.filter((name) => name !== 'randomId');
  return {
    type: 'object',
    properties,
    ...(needed.length === 0 ? {} : { required: needed }),
    additionalProperties: false,
  };
}

/** The schema of a method's result, always an object with `_`; what it refers to is added to `components`. */
export function resultSchema(method: TlMethod, components: Components): JsonSchema {
  if (method.returnsVector) {
    const items = { type: 'array', items: typeSchema(method.returns, components) };
    return { type: 'object', properties: { _: { const: 'vector' }, items }, required: ['_', 'items'] };
  }
  if (method.returns === 'Bool') {
    return { type: 'object', properties: { _: { enum: ['boolTrue', 'boolFalse'] } }, required: ['_'] };
  }
  return typeSchema(method.returns, components);
}

/** The schema of a TL type, as a reference unless it is primitive. */
export function typeSchema(type: string, components: Components): JsonSchema {
  const primitive = PRIMITIVES[type];
  if (primitive) return primitive;
  const name = `TL.${type}`;
  if (!components.has(name)) {
    const constructors = schema.unions.get(type) ?? [];
    // Noted before it is filled: types refer to themselves.
    const union: JsonSchema = {};
    components.set(name, union);
    union.oneOf = constructors.map((tag) => constructorSchema(tag, components));
  }
  return { $ref: `#/components/schemas/${name}` };
}

function constructorSchema(tag: string, components: Components): JsonSchema {
  const name = `TL.${tag}`;
  // A type and its only constructor may be called the same but for the first letter's case.
  if (!components.has(name)) {
    const entry = schema.constructors.get(tag) as SchemaEntry;
    const component: JsonSchema = {};
    components.set(name, component);
    const { required, properties } = members(entry, components, true);
    Object.assign(component, {
      type: 'object',
      ...describe(entry.comment),
      properties: { _: { const: tag }, ...properties },
      required: ['_', ...required],
    });
  }
  return { $ref: `#/components/schemas/${name}` };
}

function members(
  entry: SchemaEntry,
  components: Components,
  described: boolean,
): { required: string[]; properties: Record<string, JsonSchema> } {
  const required: string[] = [];
  const properties: Record<string, JsonSchema> = {};
  for (const field of entry.arguments) {
    if (field.type === '#') continue;
    const name = camelCase(field.name);
    if (field.typeModifiers?.predicate === undefined) required.push(name);
    properties[name] = fieldSchema(field, components, described);
  }
  return { required, properties };
}

function fieldSchema(field: SchemaField, components: Components, terse: boolean): JsonSchema {
  const item = typeSchema(field.type, components);
  const whole = field.typeModifiers?.isVector ? { type: 'array', items: item } : item;
  return terse ? whole : { ...whole, ...describe(field.comment) };
}

function describe(comment: string | undefined): { description?: string } {
  const description = plainText(comment);
  return description === '' ? {} : { description };
}
