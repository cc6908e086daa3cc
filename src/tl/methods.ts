import { type SchemaEntry, schema } from './schema.ts';

/** A callable method of the TL schema. */
export interface TlMethod {
  name: string;
  /** What it does, as plain text. */
  purpose: string;
  /** The TL type it returns, and whether it is a vector of that. */
  returns: string;
  returnsVector: boolean;
  throws: readonly { code: number; name: string; comment?: string }[];
  /** Whether it takes a `randomId`: one, one per message, or none. */
  randomId: 'one' | 'many' | null;
  entry: SchemaEntry;
}

// These wrap other methods; as calls of their own they have no sense.
const WRAPPERS = /^(invoke|initConnection)/;

const methods = new Map<string, TlMethod>();
for (const entry of schema.methods.values()) {
  if (!WRAPPERS.test(entry.name) && !entry.name.startsWith('mtcute.'))
    methods.set(entry.name, toMethod(entry));
}

/** The callable method of this name, or null. */
export function findMethod(name: string): TlMethod | null {
  return methods.get(name) ?? null;
}

/** Every callable method, by name. */
export function listMethods(): readonly TlMethod[] {
  return [...methods.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A comment of the schema without its HTML. */
export function plainText(comment: string | undefined): string {
  return (comment ?? '')
    .replace(/<br\s*\/?>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
}

function toMethod(entry: SchemaEntry): TlMethod {
  const randomId = entry.arguments.find(({ name, type }) => name === 'random_id' && type === 'long');
  return {
    name: entry.name,
    purpose: plainText(entry.comment),
    returns: entry.type,
    returnsVector: entry.typeModifiers?.isVector === true,
    throws: entry.throws ?? [],
    randomId: randomId === undefined ? null : randomId.typeModifiers?.isVector === true ? 'many' : 'one',
    entry,
  };
}
