import type { Reference, Schema } from './reference.ts';

const DEPTH_MAX = 6;

/** An example value for this schema, with its required members. */
export function exampleOf(reference: Reference, given: Schema, depth = 0): unknown {
  const schema = reference.resolve<Schema>(given);
  const constant = schema.const ?? schema.default ?? schema.enum?.[0];
  if (constant !== undefined) return constant;
  const [either] = schema.oneOf ?? schema.anyOf ?? [];
  if (either !== undefined) return depth > DEPTH_MAX ? null : exampleOf(reference, either, depth + 1);
  const type = [schema.type].flat()[0];
  if (schema.properties !== undefined || type === 'object') {
    const members = (schema.required ?? []).map((name) => {
      const member = schema.properties?.[name];
      return [
        name,
        member === undefined || depth > DEPTH_MAX ? null : exampleOf(reference, member, depth + 1),
      ];
    });
    return Object.fromEntries(members);
  }
  if (type === 'array') {
    return schema.items === undefined || depth > DEPTH_MAX
      ? []
      : [exampleOf(reference, schema.items, depth + 1)];
  }
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return false;
  return schema.format === 'int64' ? '0' : '';
}
