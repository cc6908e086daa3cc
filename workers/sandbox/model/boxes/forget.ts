import type { CallContext } from '../../../driver.ts';
import type { Forgetting } from '../common/forget.ts';
import { channelBox, type PeerKey, userBox } from '../common/keys.ts';
import { COPIES, consumedKey, historyKey, messagesKey } from './keys.ts';
import { findMessages } from './messages.ts';

const WRITES_RESERVED = 60;
const AT_ONCE = 100;

export const boxes: Forgetting = {
  ownKeys: (userId) => [[messagesKey(userBox(userId)), 'h']],
  channelKeys: (channelId) => [
    [messagesKey(channelBox(channelId)), 'h'],
    [historyKey(0, `c${channelId}`), 'z'],
    [consumedKey(channelId), 's'],
  ],
};

/** Removes the copy sets of messages of a basic group that ends. False if the user's box has more of them than are removed at once. */
export async function forgetCopies(call: CallContext, userId: number, peer: PeerKey): Promise<boolean> {
  const { tx } = call;
  const name = historyKey(userId, peer);
  const fitting = Math.min(AT_ONCE, Math.floor((tx.writesLeft - WRITES_RESERVED) / 2));
  const ids = await tx.read.zrange(tx.key(name), '0', String(fitting));
  const found = await findMessages(call, userBox(userId), ids.slice(0, fitting));
  for (const one of found) if (one?.copies !== undefined) tx.hdel(COPIES, one.copies);
  if (ids.length <= fitting) return true;
  for (const id of ids.slice(0, fitting)) tx.zrem(name, id);
  return false;
}
