import type { SchemaEntry } from './schema.ts';

/** A field as it stands in JSON. */
export interface TlField {
  /** Its name in JSON: `randomId` where the schema has `random_id`. */
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

/** The JSON fields of a constructor or method in the order of the schema; the bit sets (`flags`) are none of them. */
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

/** Whether a field is the `hash` of a list that the caller holds, which an empty text says to be none, as "0" does. */
export function isListHash(owner: SchemaEntry, { name, type }: TlField): boolean {
  return owner.kind === 'method' && name === 'hash' && type === 'long';
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
}
