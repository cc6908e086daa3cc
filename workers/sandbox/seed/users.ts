import { randomLong } from '../model/files/documents.ts';
import type { ContactRecord } from '../model/people/contacts.ts';
import { ACCOUNTS, contactsKey, USERNAMES, USERS } from '../model/people/keys.ts';
import { phoneOf } from '../model/people/phones.ts';
import { seededField } from '../model/people/seeded.ts';
import { SUPPORT_USER_ID, type UserRecord } from '../model/people/users.ts';
import type { Seeding } from './seeding.ts';

/** The account's own user, its contact, its bot and a friend, who is in its group; and the support user of the workspace. */
export function seedUsers(seeding: Seeding): void {
  const { call, self, ids } = seeding;
  call.tx.hset(ACCOUNTS, call.account.id, String(self.id));
  const defaults = {
    accountId: null,
    accessHash: randomLong(),
    phone: null,
    bot: false,
  };
  const name = self.username ?? '';
  addUser(seeding, self);
  call.tx.hset(USERS, seededField(self.id), ids);
  const mutual: ContactRecord = { mutual: true };
  call.tx.hset(contactsKey(self.id), ids.contactId, mutual);
  call.tx.hset(contactsKey(ids.contactId), self.id, mutual);
  addUser(seeding, {
    ...defaults,
    id: ids.contactId,
    firstName: 'Contact',
    username: `${name}_contact`,
  });
  addUser(seeding, {
    ...defaults,
    id: ids.friendId,
    firstName: 'Friend',
    username: `${name}_friend`,
  });
  addUser(seeding, {
    ...defaults,
    id: ids.botId,
    firstName: 'Shop',
    username: `${name}_shop_bot`,
    bot: true,
  });
  addUser(seeding, {
    ...defaults,
    id: SUPPORT_USER_ID,
    accessHash: String(SUPPORT_USER_ID),
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
