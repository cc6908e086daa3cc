import { type CallContext, MessengerError } from '../../../driver.ts';
import { USERS } from './keys.ts';
import type { UserRecord } from './users.ts';

/**
 * Changes the user that the call is made for; the commit fails if it has changed since it was found. If there is nothing to change,
 * `before` and `self` are the same object.
 */
export async function changeSelf(
  { tx, account }: CallContext,
  change: (self: UserRecord) => UserRecord,
): Promise<{ before: UserRecord; self: UserRecord }> {
  const raw = await tx.observe(USERS, account.userId);
  if (raw === null) throw new MessengerError('AUTH_KEY_UNREGISTERED');
  const before = JSON.parse(raw) as UserRecord;
  const self = change(before);
  if (JSON.stringify(self) === raw) return { before, self: before };
  tx.hset(USERS, account.userId, self);
  return { before, self };
}
