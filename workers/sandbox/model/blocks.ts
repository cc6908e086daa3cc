import { type CallContext, MessengerError } from '../../driver.ts';
import { blockedKey } from './state-keys.ts';

/** Throws `YOU_BLOCKED_USER` if the calling account has blocked a user, `USER_IS_BLOCKED` if it was blocked by it. */
export async function refuseBlocked(call: CallContext, userId: number): Promise<void> {
  const self = call.account.userId;
  const [own, theirs] = await Promise.all([isBlocked(call, self, userId), isBlocked(call, userId, self)]);
  if (own) throw new MessengerError('YOU_BLOCKED_USER');
  if (theirs) throw new MessengerError('USER_IS_BLOCKED');
}

/** Whether one user has blocked another. */
export async function isBlocked(call: CallContext, by: number, userId: number): Promise<boolean> {
  return (await call.tx.read.zscore(call.tx.key(blockedKey(by)), String(userId))) !== null;
}
