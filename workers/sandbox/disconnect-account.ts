import type { ControlOrder } from '../driver.ts';
import { ACCOUNTS, FAULTS, USERS } from './model/state-keys.ts';
import type { UserRecord } from './model/users.ts';

/**
 * Takes an account away from its user. The user stays in the conversations it had, as a deleted one does with Telegram, but
 * nobody receives its updates any more.
 */
export const disconnectAccount: ControlOrder = async (_payload, call) => {
  const userId = await call.tx.observe(ACCOUNTS, call.account.id);
  if (userId === null) return {};
  const raw = await call.tx.observe(USERS, userId);
  if (raw !== null) call.tx.hset(USERS, userId, { ...(JSON.parse(raw) as UserRecord), accountId: null });
  call.tx.hdel(ACCOUNTS, call.account.id);
  call.tx.hdel(FAULTS, call.account.id);
  return {};
};
