import { plainText } from './plain-text.ts';
import { getSchema, readTlFile } from './schema.ts';

/** An error of a messenger, from the schema. */
export interface KnownError {
  /** Telegram's number: 303, 400, 401, 403, 404, 406, 420, 500; its own failures are negative. */
  code: number;
  name: string;
  comment?: string;
  /** The name with `%d` for its number, if it has one. */
  template?: string;
  /** How long to wait, if the number is a wait. */
  seconds?: number;
}

interface NamedError {
  code: number;
  name: string;
  comment: string;
}

interface RawErrors {
  /** General errors with their codes, such as `INTERNAL`. */
  base: Record<string, number>;
  errors: Record<string, { code: number; name: string; description?: string }>;
}

/** The schema's errors, with their comments as the schema writes them. */
interface ErrorTable {
  byName: Map<string, NamedError>;
  byMethod: Map<string, readonly NamedError[]>;
}

/** The longest error name. `findMessengerError` tries each number in a name as that of a template. */
export const ERROR_NAME_MAX = 128;

const NUMBER = /\d{1,10}/g;

let table: ErrorTable | undefined;

/**
 * The schema's error of this name, such as `PEER_ID_INVALID` or `FLOOD_WAIT_42`, or null. An error may have several codes: that of the
 * method (by full name) wins, then that of most methods.
 */
export function findMessengerError(name: string, method = ''): KnownError | null {
  if (name.length > ERROR_NAME_MAX) return null;
  table ??= readErrors();
  const exact = lookUp(table, name, method);
  if (exact) return { code: exact.code, name, ...commentOf(exact.comment) };
  for (const { 0: number, index } of name.matchAll(NUMBER)) {
    const template = `${name.slice(0, index)}%d${name.slice(index + number.length)}`;
    const known = lookUp(table, template, method);
    if (known) return withNumber(known, name, template, number);
  }
  return null;
}

function lookUp({ byName, byMethod }: ErrorTable, name: string, method: string): NamedError | undefined {
  const found = byMethod.get(method)?.find((error) => error.name === name) ?? byName.get(name);
  return found && { ...found, comment: plainText(found.comment) };
}

function withNumber(known: NamedError, name: string, template: string, number: string): KnownError {
  const wait = /%d (second|minute)/.exec(known.comment)?.[1];
  const seconds = wait === undefined ? {} : { seconds: Number(number) * (wait === 'minute' ? 60 : 1) };
  return {
    code: known.code,
    name,
    ...commentOf(known.comment.replaceAll('%d', number)),
    template,
    ...seconds,
  };
}

function commentOf(comment: string): { comment?: string } {
  return comment === '' ? {} : { comment };
}

function readErrors(): ErrorTable {
  const uses = new Map<string, Uses>();
  const byMethod = new Map<string, readonly NamedError[]>();
  for (const { name: method, throws = [] } of getSchema().methods.values()) {
    byMethod.set(method, throws);
    for (const error of throws) countUse(uses, error);
  }
  const byName = new Map<string, NamedError>();
  const raw = readTlFile<RawErrors>('raw-errors.json');
  for (const [name, code] of Object.entries(raw.base)) byName.set(name, { code, name, comment: '' });
  for (const { code, name, description = '' } of Object.values(raw.errors))
    byName.set(name, { code, name, comment: description });
  for (const [name, byCode] of uses) byName.set(name, mostCommon(byCode, byName.get(name)));
  return { byName, byMethod };
}

/** How many methods give an error each of its codes, and as what. */
type Uses = Map<number, { error: NamedError; count: number }>;

function countUse(uses: Map<string, Uses>, error: NamedError): void {
  const byCode: Uses = uses.get(error.name) ?? new Map();
  uses.set(error.name, byCode);
  const use = byCode.get(error.code) ?? { error, count: 0 };
  byCode.set(error.code, use);
  use.count += 1;
}

// If the entry of most methods has no comment, that of another entry is used.
function mostCommon(uses: Uses, other: NamedError | undefined): NamedError {
  const { error } = [...uses.values()].reduce((best, use) => (use.count > best.count ? use : best));
  return error.comment.trim() === '' && other ? { ...error, comment: other.comment } : error;
}
