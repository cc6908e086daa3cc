import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputUser } from '../../examples/input-peers.ts';
import { resolveUser } from '../../model/peers/resolve-peer.ts';
import { findContacts, replaceContact } from '../../model/people/contacts.ts';
import { toContactNote } from '../../model/text/contact-note.ts';

/**
 * Sets a note about a contact that only the account sees, or with an empty text removes it. Errors: `CONTACT_ID_INVALID`,
 * `MESSAGE_TOO_LONG`.
 */
export const updateContactNote = defineMethod('contacts.updateContactNote', async ({ id, note }, call) => {
  const [user, kept] = await Promise.all([resolveUser(call, id), toContactNote(call, note)]);
  const [contact] = await findContacts(call, [user.id]);
  if (!contact) throw new MessengerError('CONTACT_ID_INVALID');
  const { note: _, ...others } = contact;
  replaceContact(call, user.id, contact, kept ? { ...others, note: kept } : others);
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
