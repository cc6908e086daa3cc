import { type CallContext, MessengerError } from '../../driver.ts';
import { blocksKey } from './state-keys.ts';

/** Whether the calling account has blocked a user, and whether the user has blocked it. */
export interface Blocks {
  own: boolean;
  theirs: boolean;
}

/** Throws `YOU_BLOCKED_USER` if the calling account has blocked a user, `USER_IS_BLOCKED` if it was blocked by it. */
export function refuseBlocked({ own, theirs }: Blocks): void {
  if (own) throw new MessengerError('YOU_BLOCKED_USER');
  if (theirs) throw new MessengerError('USER_IS_BLOCKED');
}

/** Whether the calling account has blocked a user, and whether the user has blocked it. */
export async function findBlocks(call: CallContext, userId: number): Promise<Blocks> {
  const self = call.account.userId;
  const { tx } = call;
  const [own, theirs] = await Promise.all([
    tx.read.hget(tx.key(blocksKey(self)), String(userId)),
    tx.read.hget(tx.key(blocksKey(userId)), String(self)),
  ]);
  return { own: own !== null, theirs: theirs !== null };
}
