import type { CallContext } from '../../../driver.ts';
import { findContacts } from '../people/contacts.ts';
import { targetOf, type UserRecord } from '../people/users.ts';
import { listAcquaintances } from './acquaintances.ts';

/**
 * Notifies the account's other sessions, and users who have a private chat with it, of its names; not those who have given it a name of
 * their own, as they see that one.
 */
export async function notifyOfName(call: CallContext, self: UserRecord): Promise<void> {
  const { id: userId, firstName, lastName = '', username } = self;
  const usernames =
    username === null ? [] : [{ _: 'username' as const, username, active: true, editable: true }];
  const acquaintances = await listAcquaintances(call);
  const noted = await Promise.all(acquaintances.map(({ id }) => findContacts(call, [userId], id)));
  for (const user of [self, ...acquaintances.filter((_, i) => noted[i]?.[0]?.firstName === undefined)])
    call.tx.update(targetOf(user), { _: 'updateUserName', userId, firstName, lastName, usernames });
}
