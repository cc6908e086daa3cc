import type { CallContext } from '../../../driver.ts';
import { targetOf, type UserRecord } from '../people/users.ts';
import { listAcquaintances } from './acquaintances.ts';

/** Notifies the account's other sessions, and users who have a private chat with it, of its names. */
export async function notifyOfName(call: CallContext, self: UserRecord): Promise<void> {
  const { id: userId, firstName, lastName = '', username } = self;
  const usernames =
    username === null ? [] : [{ _: 'username' as const, username, active: true, editable: true }];
  for (const user of [self, ...(await listAcquaintances(call))])
    call.tx.update(targetOf(user), { _: 'updateUserName', userId, firstName, lastName, usernames });
}
