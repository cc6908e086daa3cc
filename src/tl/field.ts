import type { SchemaEntry } from './schema.ts';

/** A field of the schema, as it is in JSON. */
export interface TlField {
  /** Its name in JSON: `randomId` for the schema's `random_id`. */
  name: string;
  /** Its TL type, or that of its items. */
  type: string;
  isVector: boolean;
  isOptional: boolean;
  /** Whether it is a `true` flag: a boolean that takes no bytes of its own. */
  isFlag: boolean;
  /** The schema's comment, in its HTML. */
  comment: string;
}

/** The JSON fields of a constructor or method in the schema's order, without the bit sets (`flags`). */
export function fieldsOf(entry: SchemaEntry): TlField[] {
  return entry.arguments
    .filter(({ type }) => type !== '#')
    .map(({ name, type, comment = '', typeModifiers: { isVector = false, predicate } = {} }) => ({
      name: camelCase(name),
      type,
      isVector,
      isOptional: predicate !== undefined,
      isFlag: type === 'true',
      comment,
    }));
}

/** Whether a field is the `hash` of a list that the caller already has. An empty text means none, like "0". */
export function isListHash(owner: SchemaEntry, { name, type }: TlField): boolean {
  return owner.kind === 'method' && name === 'hash' && type === 'long';
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
}
