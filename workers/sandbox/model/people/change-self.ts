import { type CallContext, MessengerError } from '../../../driver.ts';
import { USERS } from './keys.ts';
import type { UserRecord } from './users.ts';

/**
 * Changes the user that the call is made for; the commit fails if it has changed since it was found. Null if there is nothing to change.
 */
export async function changeSelf(
  { tx, account }: CallContext,
  change: (self: UserRecord) => UserRecord,
): Promise<UserRecord | null> {
  const raw = await tx.observe(USERS, account.userId);
  if (raw === null) throw new MessengerError('AUTH_KEY_UNREGISTERED');
  const changed = change(JSON.parse(raw) as UserRecord);
  if (JSON.stringify(changed) === raw) return null;
  tx.hset(USERS, account.userId, changed);
  return changed;
}
