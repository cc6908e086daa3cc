import { type CallContext, MessengerError } from '../../../driver.ts';
import type { ContactNote } from '../people/contacts.ts';
import { toStoredEntities } from './entities.ts';

// Source: core.telegram.org/api/config.
const NOTE_MAX = 128;

// The length of a note with its entities, as JSON: whoever is shown all contacts has 3,000 of them read.
const JSON_LENGTH_MAX = 1_500;

/** A note about a contact as it is stored; null for an empty text, which removes the note. Errors: `MESSAGE_TOO_LONG`, `ENTITIES_TOO_LONG`. */
export async function toContactNote(call: CallContext, note: ContactNote): Promise<ContactNote | null> {
  if (note.text.length > NOTE_MAX) throw new MessengerError('MESSAGE_TOO_LONG');
  const kept = { ...note, entities: await toStoredEntities(call, note.text, note.entities) };
  if (JSON.stringify(kept).length > JSON_LENGTH_MAX) throw new MessengerError('ENTITIES_TOO_LONG');
  return note.text === '' ? null : kept;
}
