import { randomLong } from '../model/files/documents.ts';
import type { ContactRecord } from '../model/people/contacts.ts';
import { ACCOUNTS, contactsKey, USERNAMES, USERS } from '../model/people/keys.ts';
import { phoneOf } from '../model/people/phones.ts';
import { seededField } from '../model/people/seeded.ts';
import { findUsers, SUPPORT_USER_ID, type UserRecord } from '../model/people/users.ts';
import type { Seeding } from './seeding.ts';

type NewUser = Pick<UserRecord, 'accountId' | 'accessHash' | 'phone' | 'bot'>;

/** The account's own user, its contact, its bot and a friend, who is in its group; and the support user of the workspace. */
export async function seedUsers(seeding: Seeding): Promise<void> {
  const { call, self, ids } = seeding;
  call.tx.hset(ACCOUNTS, call.account.id, String(self.id));
  // Clients keep access hashes, so a reset leaves them as they are.
  const known = await findUsers(call, [ids.contactId, ids.friendId, ids.botId]);
  const [contact, friend, bot] = known.map((user) => ({
    accountId: null,
    accessHash: user?.accessHash ?? randomLong(),
    phone: null,
    bot: false,
  })) as [NewUser, NewUser, NewUser];
  const name = self.username ?? '';
  addUser(seeding, self);
  call.tx.hset(USERS, seededField(self.id), ids);
  const mutual: ContactRecord = { mutual: true };
  call.tx.hset(contactsKey(self.id), ids.contactId, mutual);
  call.tx.hset(contactsKey(ids.contactId), self.id, mutual);
  addUser(seeding, {
    ...contact,
    id: ids.contactId,
    firstName: 'Contact',
    username: `${name}_contact`,
  });
  addUser(seeding, {
    ...friend,
    id: ids.friendId,
    firstName: 'Friend',
    username: `${name}_friend`,
  });
  addUser(seeding, {
    ...bot,
    id: ids.botId,
    firstName: 'Shop',
    username: `${name}_shop_bot`,
    bot: true,
  });
  addUser(seeding, {
    id: SUPPORT_USER_ID,
    accountId: null,
    accessHash: String(SUPPORT_USER_ID),
    bot: false,
    firstName: 'Support',
    username: 'support',
    phone: phoneOf(SUPPORT_USER_ID),
    support: true,
  });
}

/** The user of a new account. */
export function newUser(id: number, accountId: string, name: string, bot: boolean): UserRecord {
  return {
    id,
    accountId,
    accessHash: randomLong(),
    firstName: name,
    username: bot ? `account_${id}_bot` : `account_${id}`,
    phone: bot ? null : phoneOf(id),
    bot,
  };
}

function addUser({ call }: Seeding, user: UserRecord): void {
  call.tx.hset(USERS, user.id, user);
  if (user.username !== null) call.tx.hset(USERNAMES, user.username.toLowerCase(), `u${user.id}`);
}
