import type { Update } from '../../../../src/tl/tl-json.ts';
import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputUser } from '../../examples/input-peers.ts';
import { resolveUser } from '../../model/peers/resolve-peer.ts';
import type { ContactRecord } from '../../model/people/contacts.ts';
import { contactsKey } from '../../model/people/keys.ts';
import { targetOf } from '../../model/people/users.ts';
import { toTlUser } from '../../model/people/view-users.ts';

// Telegram cuts longer ones.
const NAME_MAX = 64;

const CONTACTS_MAX = 5_000;

/** Notes a user in the account's contacts, by the names it gives it. Error: `USERS_TOO_MUCH` beyond 5,000 of them. */
export const addContact = defineMethod('contacts.addContact', async (params, call) => {
  const { tx, account } = call;
  const [firstName, lastName] = [toName(params.firstName), toName(params.lastName)];
  if (firstName === '' && lastName === '') throw new MessengerError('CONTACT_NAME_EMPTY');
  const user = await resolveUser(call, params.id).catch((error: unknown) => {
    if (error instanceof MessengerError) throw new MessengerError('CONTACT_ID_INVALID');
    throw error;
  });
  if (user.id === account.userId || user.deleted) throw new MessengerError('CONTACT_ID_INVALID');
  const own = tx.key(contactsKey(account.userId));
  const [theirs, isKnown, count] = await Promise.all([
    tx.observe(contactsKey(user.id), account.userId),
    tx.read.hexists(own, String(user.id)),
    tx.read.hlen(own),
  ]);
  if (isKnown === 0 && count >= CONTACTS_MAX) throw new MessengerError('USERS_TOO_MUCH');
  const contact: ContactRecord = {
    mutual: theirs !== null,
    firstName,
    ...(lastName === '' ? {} : { lastName }),
  };
  tx.hset(contactsKey(account.userId), user.id, contact);
  if (theirs !== null) {
    const mutual: ContactRecord = { ...(JSON.parse(theirs) as ContactRecord), mutual: true };
    tx.hset(contactsKey(user.id), account.userId, mutual);
  }
  const update: Update = {
    _: 'updatePeerSettings',
    peer: { _: 'peerUser', userId: user.id },
    settings: { _: 'peerSettings' },
  };
  tx.update(targetOf({ id: account.userId, accountId: account.id }), update);
  return {
    _: 'updates',
    updates: [update],
    users: [toTlUser(user, account.userId, contact)],
    chats: [],
    date: call.date,
    seq: 0,
  };
});

function toName(given: string): string {
  return given.trim().slice(0, NAME_MAX).toWellFormed();
}

export const example: Example<'contacts.addContact'> = async (exemplar) => ({
  id: await inputUser(exemplar, 'friendId'),
  firstName: 'Best',
  lastName: 'Friend',
  phone: '',
});

export const difference = 'An account has at most 5,000 contacts.';
