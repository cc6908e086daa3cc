import { fieldsOf } from './field.ts';
import { type Components, constructorSchema, type JsonSchema } from './json-schema.ts';
import { getSchema } from './schema.ts';
import { updateKind } from './tl-json.ts';

/** A kind of update on the stream, and a reference to the schema of its TL object. */
export interface UpdateSchema {
  kind: string;
  description: string;
  schema: JsonSchema;
}

/** The updates of these kinds. Every schema that they refer to is added to `collect`. */
export function updateSchemas(kinds: readonly string[], collect: Components): UpdateSchema[] {
  const entries = (getSchema().types.get('Update') ?? []).map((entry) => ({
    kind: updateKind({ _: entry.name }),
    entry,
  }));
  const found = entries
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ kind, entry }) => ({
      kind,
      description: entry.comment ?? '',
      schema: constructorSchema(entry, collect),
    }));
  for (const [name, schema] of collect) collect.set(name, asOnStream(name.slice('TL.'.length), schema));
  return found;
}

/** Unlike in results, unset flags are absent on the stream. */
function asOnStream(name: string, schema: JsonSchema): JsonSchema {
  const entry = getSchema().constructors.get(name);
  if (entry === undefined) return schema;
  const flags = new Set(fieldsOf(entry).flatMap((field) => (field.isFlag ? [field.name] : [])));
  const required = (schema.required as string[]).filter((field) => !flags.has(field));
  return { ...schema, required };
}
