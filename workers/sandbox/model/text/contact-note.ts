import { type CallContext, MessengerError } from '../../../driver.ts';
import type { ContactNote } from '../people/contacts.ts';
import { toStoredEntities } from './entities.ts';

// Source: core.telegram.org/api/config.
const NOTE_MAX = 128;

/** A note about a contact as it is stored; null for an empty text, which removes the note. Error: `MESSAGE_TOO_LONG`. */
export async function toContactNote(call: CallContext, note: ContactNote): Promise<ContactNote | null> {
  if (note.text.length > NOTE_MAX) throw new MessengerError('MESSAGE_TOO_LONG');
  const entities = await toStoredEntities(call, note.text, note.entities);
  return note.text === '' ? null : { ...note, entities };
}
