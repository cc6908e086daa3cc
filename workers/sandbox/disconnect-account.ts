import type { ControlOrder } from '../driver.ts';
import { clearFaults } from './faults.ts';
import { ACCOUNTS, USERNAMES, USERS } from './model/people/keys.ts';
import type { UserRecord } from './model/people/users.ts';
import { forgetLater } from './reset/forget-deleted.ts';

/**
 * Disconnects an account from its user. The user stays in its conversations, like a deleted user on Telegram, but nobody receives its
 * updates any more, and its username is free again. What it alone has is removed later.
 */
export const disconnectAccount: ControlOrder = async (_payload, call) => {
  const userId = await call.tx.observe(ACCOUNTS, call.account.id);
  if (userId === null) return {};
  const raw = await call.tx.observe(USERS, userId);
  if (raw !== null) {
    const user = JSON.parse(raw) as UserRecord;
    if (user.username !== null) call.tx.hdel(USERNAMES, user.username.toLowerCase());
    const deleted: UserRecord = {
      ...user,
      accountId: null,
      deleted: true,
      username: null,
      phone: null,
    };
    call.tx.hset(USERS, userId, deleted);
    await forgetLater(call, user.id);
  }
  call.tx.hdel(ACCOUNTS, call.account.id);
  clearFaults(call);
  return {};
};
