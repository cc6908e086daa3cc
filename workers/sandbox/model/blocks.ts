import { type CallContext, MessengerError } from '../../driver.ts';
import { BLOCKS } from './state-keys.ts';

/** Throws `YOU_BLOCKED_USER` if the calling account has blocked a user, `USER_IS_BLOCKED` if it was blocked by it. */
export async function refuseBlocked(call: CallContext, userId: number): Promise<void> {
  const { own, theirs } = await findBlocks(call, userId);
  if (own) throw new MessengerError('YOU_BLOCKED_USER');
  if (theirs) throw new MessengerError('USER_IS_BLOCKED');
}

/** Whether the calling account has blocked a user, and whether the user has blocked it. */
export async function findBlocks(
  call: CallContext,
  userId: number,
): Promise<{ own: boolean; theirs: boolean }> {
  const self = call.account.userId;
  const [own, theirs] = await call.tx.read.hmget(
    call.tx.key(BLOCKS),
    blockField(self, userId),
    blockField(userId, self),
  );
  return { own: own != null, theirs: theirs != null };
}

/** Where it stands that one user has blocked another. */
export function blockField(by: number, userId: number): string {
  return `${by}:${userId}`;
}
