import { fieldsOf, isListHash, type TlField } from './field.ts';
import type { TlMethod } from './methods.ts';
import { plainText } from './plain-text.ts';
import { isDerivedRandomId } from './random-id.ts';
import { getSchema, type SchemaEntry } from './schema.ts';
import { isUsedInParams } from './used-in-params.ts';

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Record<string, unknown>;

/** The schemas that others refer to, by their name under `#/components/schemas`: `TL.TypeInputPeer`, `TL.inputPeerUser`. */
export type Components = Map<string, JsonSchema>;

const BASE64: JsonSchema = { type: 'string', contentEncoding: 'base64' };
const LONG: JsonSchema = {
  type: 'string',
  format: 'int64',
  pattern: '^(0|-?[1-9][0-9]{0,18})$',
};

const SCALARS: ReadonlyMap<string, JsonSchema> = new Map<string, JsonSchema>([
  [
    'int',
    {
      type: 'integer',
      format: 'int32',
      minimum: -(2 ** 31),
      maximum: 2 ** 31 - 1,
    },
  ],
  [
    'int53',
    {
      type: 'integer',
      format: 'int64',
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
    },
  ],
  ['long', LONG],
  ['double', { type: 'number', format: 'double' }],
  ['string', { type: 'string' }],
  ['bytes', BASE64],
  ['int128', { ...BASE64, description: '16 bytes' }],
  ['int256', { ...BASE64, description: '32 bytes' }],
  ['true', { type: 'boolean' }],
  ['Bool', { type: 'boolean' }],
]);

/** The schema of a method's params. Every schema that it refers to is added to `collect`. */
export function paramsSchema(method: TlMethod, collect: Components): JsonSchema {
  return objectSchema(method.entry, collect);
}

/** The schema of a method's result, always an object with `_`. Every schema that it refers to is added to `collect`. */
export function resultSchema(method: TlMethod, collect: Components): JsonSchema {
  if (method.returnsVector) {
    const items = {
      type: 'array',
      items: typeSchema(method.returnType, collect),
    };
    return closed({ _: { const: 'vector' }, items }, ['_', 'items']);
  }
  if (method.returnType === 'Bool') return closed({ _: { enum: ['boolTrue', 'boolFalse'] } }, ['_']);
  return typeSchema(method.returnType, collect);
}

// A reference, unless the type is a scalar.
function typeSchema(type: string, collect: Components): JsonSchema {
  const scalar = SCALARS.get(type);
  if (scalar) return scalar;
  const constructors = getSchema().types.get(type) ?? [];
  const [only, ...others] = constructors;
  if (only && others.length === 0) return constructorSchema(only, collect);
  return referTo(`TL.${unionName(type)}`, collect, () => unionSchema(constructors, collect));
}

// A union and a constructor whose names differ only in case are one to generators of code that write files or classes.
function unionName(type: string): string {
  const name = type.lastIndexOf('.') + 1;
  return `${type.slice(0, name)}Type${type.slice(name)}`;
}

function unionSchema(constructors: readonly SchemaEntry[], collect: Components): JsonSchema {
  return {
    oneOf: constructors.map((entry) => constructorSchema(entry, collect)),
    discriminator: {
      propertyName: '_',
      mapping: Object.fromEntries(constructors.map(({ name }) => [name, refOf(`TL.${name}`)])),
    },
  };
}

/** A reference to the schema of one constructor, with flags as in results. Every schema that it refers to is added to `collect`. */
export function constructorSchema(entry: SchemaEntry, collect: Components): JsonSchema {
  return referTo(`TL.${entry.name}`, collect, () => ({
    ...described(entry.comment ?? ''),
    ...objectSchema(entry, collect),
  }));
}

function referTo(name: string, collect: Components, make: () => JsonSchema): JsonSchema {
  if (!collect.has(name)) {
    const schema: JsonSchema = {};
    // Added before it is complete, because TL types refer to themselves.
    collect.set(name, schema);
    Object.assign(schema, make());
  }
  return { $ref: refOf(name) };
}

function objectSchema(entry: SchemaEntry, collect: Components): JsonSchema {
  const fields = fieldsOf(entry);
  const properties = Object.fromEntries(
    fields.map((field) => [field.name, fieldSchema(entry, field, collect)]),
  );
  const required = fields.filter((field) => isRequired(entry, field)).map(({ name }) => name);
  if (entry.kind === 'method') return closed({ _: { const: entry.name }, ...properties }, required);
  return closed({ _: { const: entry.name }, ...properties }, ['_', ...required]);
}

// Callers may leave a flag out, and results always have it. A constructor that is used in params has one schema for both.
function isRequired(owner: SchemaEntry, field: TlField): boolean {
  if (field.isFlag) return owner.kind === 'class' && !isUsedInParams(owner.name);
  return !field.isOptional && !isDerivedRandomId(owner, field);
}

function fieldSchema(owner: SchemaEntry, field: TlField, collect: Components): JsonSchema {
  const item = isListHash(owner, field)
    ? { ...LONG, pattern: `^$|${LONG.pattern}` }
    : typeSchema(field.type, collect);
  const schema = field.isVector ? { type: 'array', items: item } : item;
  return { ...schema, ...described(field.comment) };
}

function closed(properties: JsonSchema, required: string[]): JsonSchema {
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function described(comment: string): { description?: string } {
  const description = plainText(comment);
  return description === '' ? {} : { description };
}

function refOf(name: string): string {
  return `#/components/schemas/${name}`;
}

/** The schema of a method's params as JSON, with everything it refers to in its own `$defs`; up to 250 KB. */
export function standaloneParamsSchema(method: TlMethod): string {
  const components: Components = new Map();
  const schema = paramsSchema(method, components);
  const whole = components.size === 0 ? schema : { ...schema, $defs: Object.fromEntries(components) };
  return JSON.stringify(whole).replaceAll('"#/components/schemas/', '"#/$defs/');
}
