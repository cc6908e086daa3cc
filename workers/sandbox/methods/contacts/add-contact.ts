import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputUser } from '../../examples/input-peers.ts';
import { resolveUser } from '../../model/peers/resolve-peer.ts';
import { type AddedContact, addContacts, toContactName } from '../../model/people/change-contacts.ts';
import { toTlUser } from '../../model/people/view-users.ts';
import { toContactNote } from '../../model/text/contact-note.ts';

/**
 * Adds a user to the account's contacts, under the given names and with a note. Errors: `USERS_TOO_MUCH` beyond 3,000 contacts,
 * `MESSAGE_TOO_LONG` for a note of more than 128 characters.
 */
export const addContact = defineMethod('contacts.addContact', async (params, call) => {
  const { account } = call;
  const [firstName, lastName] = [toContactName(params.firstName), toContactName(params.lastName)];
  if (firstName === '' && lastName === '') throw new MessengerError('CONTACT_NAME_EMPTY');
  const user = await resolveUser(call, params.id).catch((error: unknown) => {
    if (error instanceof MessengerError) throw new MessengerError('CONTACT_ID_INVALID');
    throw error;
  });
  if (user.id === account.userId || user.deleted) throw new MessengerError('CONTACT_ID_INVALID');
  const note = params.note && (await toContactNote(call, params.note));
  const [noted] = (await addContacts(call, [{ user, firstName, lastName, note }])) as [AddedContact];
  return {
    _: 'updates',
    updates: [noted.update],
    users: [toTlUser(call, user, noted.contact)],
    chats: [],
    date: call.date,
    seq: 0,
  };
});

export const example: Example<'contacts.addContact'> = async (context) => ({
  id: await inputUser(context, 'friendId'),
  firstName: 'Best',
  lastName: 'Friend',
  phone: '',
});

export const difference = 'At most 3,000 contacts.';
