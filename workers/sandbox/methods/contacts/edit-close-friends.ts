import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { SEQ } from '../../model/common/keys.ts';
import { findContacts, replaceContact } from '../../model/people/contacts.ts';
import { closeFriendsField, closeFriendsKey } from '../../model/people/keys.ts';
import { notifyOwnSessions } from '../../model/people/users.ts';

const FRIENDS_MAX = 100;

/** Replaces the list of the account's close friends; users who are not contacts are ignored. */
export const editCloseFriends = defineMethod('contacts.editCloseFriends', async ({ id }, call) => {
  const { tx, account } = call;
  const name = closeFriendsKey(account.userId);
  // Two lists at once would be merged. Read first: a list that comes meanwhile raises the counter, so that the commit fails.
  await tx.observe(SEQ, closeFriendsField(account.userId));
  tx.hincrby(SEQ, closeFriendsField(account.userId), 1);
  const before = new Set((await tx.read.smembers(tx.key(name))).map(Number));
  const wanted = new Set(id.slice(0, FRIENDS_MAX));
  const either = [...new Set([...before, ...wanted])];
  const contacts = await findContacts(call, either);
  for (const [i, userId] of either.entries()) {
    const contact = contacts[i] ?? null;
    const isFriend = wanted.has(userId) && contact !== null;
    // The list may name a friend who was deleted from the contacts and added again.
    if (contact && isFriend !== (contact.closeFriend === true)) {
      const { closeFriend: _, ...others } = contact;
      replaceContact(call, userId, contact, isFriend ? { ...others, closeFriend: true } : others);
      notifyOwnSessions(call, { _: 'updateUser', userId });
    }
    if (isFriend === before.has(userId)) continue;
    if (isFriend) tx.sadd(name, userId);
    else tx.srem(name, userId);
  }
  return true;
});

export const example: Example<'contacts.editCloseFriends'> = ({ ids }) => ({ id: [ids.contactId] });

export const difference = 'Only the first 100 count.';
