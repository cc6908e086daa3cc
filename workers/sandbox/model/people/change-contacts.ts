import type { Update } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { cutText } from '../common/cut-text.ts';
import { someFields } from '../common/scan-some.ts';
import type { ContactNote, ContactRecord } from './contacts.ts';
import { contactsKey } from './keys.ts';
import { notifyOwnSessions, type UserRecord } from './users.ts';

// Telegram cuts longer ones.
const NAME_MAX = 64;

// A list has all of them.
const CONTACTS_MAX = 3_000;

// Each takes two writes.
const FORGOTTEN_AT_ONCE = 25;

/** A user to be added to the calling account's contacts. */
export interface NewContact {
  user: UserRecord;
  firstName: string;
  lastName: string;
  /** A new note about the user; null removes the one there is, and undefined keeps it. */
  note?: ContactNote | null | undefined;
}

/** A contact that was added, with the account's update. */
export interface AddedContact {
  contact: ContactRecord;
  update: Update;
}

/** A contact's name as it is stored. */
export function toContactName(given: string): string {
  return cutText(given, NAME_MAX);
}

/** Adds users, each once, to the account's contacts, under the given names. Error: `USERS_TOO_MUCH` beyond 3,000 contacts. */
export async function addContacts(call: CallContext, wanted: readonly NewContact[]): Promise<AddedContact[]> {
  const { tx, account } = call;
  const own = tx.key(contactsKey(account.userId));
  const [befores, count, theirs] = await Promise.all([
    wanted.length === 0 ? [] : tx.read.hmget(own, ...wanted.map(({ user }) => String(user.id))),
    tx.read.hlen(own),
    Promise.all(wanted.map(({ user }) => tx.observe(contactsKey(user.id), account.userId))),
  ]);
  const added = befores.filter((raw) => raw === null).length;
  if (added > 0 && count + added > CONTACTS_MAX) throw new MessengerError('USERS_TOO_MUCH');
  return wanted.map(({ user, firstName, lastName, note: given }, i) => {
    const back = theirs[i] ?? null;
    const before = befores[i] ?? null;
    tx.expectField(contactsKey(account.userId), user.id, before);
    const { note: known, closeFriend }: Partial<ContactRecord> = JSON.parse(before ?? '{}');
    const note = given === undefined ? known : given;
    const contact: ContactRecord = {
      ...(note ? { note } : {}),
      ...(closeFriend ? { closeFriend } : {}),
      mutual: back !== null,
      firstName,
      ...(lastName === '' ? {} : { lastName }),
    };
    tx.hset(contactsKey(account.userId), user.id, contact);
    if (back !== null) setMutual(call, user.id, back, true);
    return { contact, update: notify(call, user.id, {}) };
  });
}

/** Removes users from the account's contacts. */
export async function forgetContacts(call: CallContext, userIds: readonly number[]): Promise<Update[]> {
  const { tx, account } = call;
  const theirs = await Promise.all(userIds.map((id) => tx.observe(contactsKey(id), account.userId)));
  return userIds.map((userId, i) => {
    const back = theirs[i] ?? null;
    tx.hdel(contactsKey(account.userId), userId);
    if (back !== null) setMutual(call, userId, back, false);
    return notify(call, userId, { addContact: true, blockContact: true });
  });
}

/** Removes the contacts of a user who is reset. False if there are more than fit this commit. */
export async function forgetAllContacts(call: CallContext, userId: number): Promise<boolean> {
  const { tx } = call;
  const name = contactsKey(userId);
  const [ids, count] = await Promise.all([
    someFields(call, name, FORGOTTEN_AT_ONCE),
    tx.read.hlen(tx.key(name)),
  ]);
  const theirs = await Promise.all(ids.map((id) => tx.observe(contactsKey(Number(id)), userId)));
  for (const [i, id] of ids.entries()) {
    const back = theirs[i] ?? null;
    if (back !== null) tx.hset(contactsKey(Number(id)), userId, withMutual(back, false));
    tx.hdel(name, id);
  }
  return count <= ids.length;
}

function setMutual({ tx, account }: CallContext, userId: number, raw: string, mutual: boolean): void {
  tx.hset(contactsKey(userId), account.userId, withMutual(raw, mutual));
}

function withMutual(raw: string, mutual: boolean): ContactRecord {
  return { ...(JSON.parse(raw) as ContactRecord), mutual };
}

function notify(call: CallContext, userId: number, settings: object): Update {
  const update: Update = {
    _: 'updatePeerSettings',
    peer: { _: 'peerUser', userId },
    settings: { _: 'peerSettings', ...settings },
  };
  notifyOwnSessions(call, update);
  return update;
}
