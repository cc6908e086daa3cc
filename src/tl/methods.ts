import { findMessengerError } from './errors.ts';
import { plainText } from './plain-text.ts';
import { findRandomIds, type RandomIds } from './random-id.ts';
import { getSchema, type SchemaEntry } from './schema.ts';

/** An error that a method is known to answer. */
interface MethodError {
  code: number;
  name: string;
  comment: string;
}

/** A callable method of the TL schema. */
export interface TlMethod extends RandomIds {
  /** Its full name, such as `messages.sendMessage`. */
  name: string;
  /** What it does, as plain text; '' if the schema does not say. */
  purpose: string;
  /** The TL type it returns, such as `Bool`, `messages.Messages` or `Vector<int>`. */
  returns: string;
  /** `returns` in two parts: the type, for a vector that of its items, and whether it is a vector. */
  returnType: string;
  returnsVector: boolean;
  throws: readonly MethodError[];
  entry: SchemaEntry;
}

// These carry another method as a binary object, and make no sense as calls.
const WRAPPER = /^(invoke[A-Z]|initConnection$)/;

const FILE_REFERENCES = ['FILE_REFERENCE_EMPTY', 'FILE_REFERENCE_EXPIRED', 'FILE_REFERENCE_INVALID'];
const OFFSETS = ['OFFSET_INVALID'];

/** Errors that these methods answer although the schema does not list them: the methods take a document, or the offset of a page. */
const UNLISTED_ERRORS: ReadonlyMap<string, readonly string[]> = new Map([
  ['account.createTheme', FILE_REFERENCES],
  ['account.updateTheme', FILE_REFERENCES],
  ['messages.editMessage', FILE_REFERENCES],
  ['messages.sendMedia', FILE_REFERENCES],
  ['messages.sendMessage', FILE_REFERENCES],
  ['messages.uploadMedia', FILE_REFERENCES],
  ['account.getUniqueGiftChatThemes', OFFSETS],
  ['messages.getMessageReactionsList', OFFSETS],
  ['payments.getResaleStarGifts', OFFSETS],
  ['payments.getSavedStarGifts', OFFSETS],
  ['phone.getGroupParticipants', OFFSETS],
  ['stats.getMessagePublicForwards', OFFSETS],
]);

const found = new Map<string, TlMethod>();
let all: readonly TlMethod[] | undefined;

/** The callable method of this name, or null. */
export function findMethod(name: string): TlMethod | null {
  const known = found.get(name);
  if (known) return known;
  const entry = getSchema().methods.get(name);
  if (!entry || WRAPPER.test(name)) return null;
  const method = toMethod(entry);
  found.set(name, method);
  return method;
}

/** Every callable method, sorted by name. */
export function listMethods(): readonly TlMethod[] {
  all ??= [...getSchema().methods.keys()]
    .sort()
    .map(findMethod)
    .filter((method) => method !== null);
  return all;
}

function listErrors({ name: method, throws = [] }: SchemaEntry): MethodError[] {
  const listed = throws.map((error) => ({ ...error, comment: plainText(error.comment) }));
  const names = new Set(listed.map(({ name }) => name));
  const unlisted = (UNLISTED_ERRORS.get(method) ?? []).filter((name) => !names.has(name));
  return [
    ...listed,
    ...unlisted.map((name) => ({ code: 400, comment: '', ...findMessengerError(name), name })),
  ];
}

function toMethod(entry: SchemaEntry): TlMethod {
  const returnsVector = entry.typeModifiers?.isVector === true;
  return {
    name: entry.name,
    purpose: plainText(entry.comment ?? ''),
    returns: returnsVector ? `Vector<${entry.type}>` : entry.type,
    returnType: entry.type,
    returnsVector,
    throws: listErrors(entry),
    ...findRandomIds(entry),
    entry,
  };
}
