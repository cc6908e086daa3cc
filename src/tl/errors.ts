import { readSchemaFile, schema } from './schema.ts';

/** An error a messenger raises, as the schema knows it. */
export interface KnownError {
  /** Telegram's number: 400, 401, 403, 404, 406, 420, 500 or 303. */
  code: number;
  name: string;
  comment?: string;
  /** For an error that ends in a number of seconds to wait. */
  seconds?: number;
}

interface RawErrors {
  errors: Record<string, { code: number; name: string; description?: string }>;
}

const byName = loadErrors();

/** The error of this name (`PEER_ID_INVALID`, `FLOOD_WAIT_42`), or null: none is invented. */
export function findMessengerError(name: string): KnownError | null {
  const exact = byName.get(name);
  if (exact) return exact;
  const number = /_(\d{1,9})$/.exec(name)?.[1];
  if (number === undefined) return null;
  const template = byName.get(name.replace(/_\d+$/, '_%d'));
  return template ? { ...template, name, seconds: Number(number) } : null;
}

function loadErrors(): Map<string, KnownError> {
  const found = new Map<string, KnownError>();
  const { errors } = readSchemaFile<RawErrors>('raw-errors.json');
  for (const { code, name, description } of Object.values(errors)) note(found, code, name, description);
  for (const { throws = [] } of schema.methods.values()) {
    for (const { code, name, comment } of throws) note(found, code, name, comment);
  }
  return found;
}

function note(found: Map<string, KnownError>, code: number, rawName: string, comment?: string): void {
  const name = rawName.replace(/_X$/, '_%d');
  const known = found.get(name);
  if (known?.comment) return;
  found.set(name, comment?.trim() ? { code, name, comment: comment.trim() } : { code, name });
}
