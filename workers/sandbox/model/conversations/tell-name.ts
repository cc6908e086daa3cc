import type { CallContext } from '../../../driver.ts';
import { targetOf, type UserRecord } from '../people/users.ts';
import { listAcquaintances } from './acquaintances.ts';

/** Tells the account's other sessions, and who has a private chat with it, by what names it goes. */
export async function tellName(call: CallContext, self: UserRecord): Promise<void> {
  const { id: userId, firstName, lastName = '', username } = self;
  const usernames =
    username === null ? [] : [{ _: 'username' as const, username, active: true, editable: true }];
  for (const user of [self, ...(await listAcquaintances(call))])
    call.tx.update(targetOf(user), { _: 'updateUserName', userId, firstName, lastName, usernames });
}
