import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputUser } from '../../examples/input-peers.ts';
import { resolveUser } from '../../model/peers/resolve-peer.ts';
import { findContacts, replaceContact } from '../../model/people/contacts.ts';
import { toStoredEntities } from '../../model/text/entities.ts';

// Source: core.telegram.org/api/config.
const NOTE_MAX = 128;

/**
 * Sets a note about a contact that only the account sees, or with an empty text removes it. Errors: `CONTACT_ID_INVALID`,
 * `MESSAGE_TOO_LONG`.
 */
export const updateContactNote = defineMethod('contacts.updateContactNote', async ({ id, note }, call) => {
  if (note.text.length > NOTE_MAX) throw new MessengerError('MESSAGE_TOO_LONG');
  const [user, entities] = await Promise.all([
    resolveUser(call, id),
    toStoredEntities(call, note.text, note.entities),
  ]);
  const [contact] = await findContacts(call, [user.id]);
  if (!contact) throw new MessengerError('CONTACT_ID_INVALID');
  const { note: _, ...others } = contact;
  const changed = note.text === '' ? others : { ...others, note: { ...note, entities } };
  replaceContact(call, user.id, contact, changed);
  return true;
});

export const example: Example<'contacts.updateContactNote'> = async (context) => {
  const { call, ids } = context;
  const known = await findContacts(call, [ids.contactId, ids.friendId]);
  const which = known[0] ? 'contactId' : 'friendId';
  if (!known.some((one) => one !== null)) return null;
  return {
    id: await inputUser(context, which),
    note: { _: 'textWithEntities', text: 'Met in Turin', entities: [] },
  };
};
