import type { CallContext } from '../../../driver.ts';
import type { Forgetting } from '../common/forget.ts';
import { channelBox, type PeerKey, userBox } from '../common/keys.ts';
import { COPIES, consumedKey, historyKey, messagesKey } from './keys.ts';
import { findMessages } from './messages.ts';

// For what else ends with a basic group in the same commit, such as its calls and invite links.
const WRITES_RESERVED = 80;
// The writes of a message: its copy set, and its entry in the history if the commit does not remove the whole.
const WRITES_OF_MESSAGE = 2;
const MESSAGES_AT_ONCE = 100;

/** The messages of a user, and those of a channel with their history. */
export const boxes: Forgetting = {
  ownKeys: (userId) => [[messagesKey(userBox(userId)), 'h']],
  channelKeys: (channelId) => [
    [messagesKey(channelBox(channelId)), 'h'],
    [historyKey(0, `c${channelId}`), 'z'],
    [consumedKey(channelId), 's'],
  ],
};

/**
 * Removes the copy sets of the messages of a basic group that ends with its last user, `userId`. False if the user has more of its messages
 * than fit the commit: those done are then removed from the user's history, so that the next call goes on behind them.
 */
export async function forgetCopies(call: CallContext, userId: number, peer: PeerKey): Promise<boolean> {
  const { tx } = call;
  const name = historyKey(userId, peer);
  const fitting = Math.min(
    MESSAGES_AT_ONCE,
    Math.floor((tx.writesLeft - WRITES_RESERVED) / WRITES_OF_MESSAGE),
  );
  const ids = await tx.read.zrange(tx.key(name), '0', String(fitting));
  const found = await findMessages(call, userBox(userId), ids.slice(0, fitting));
  for (const one of found) if (one?.copies !== undefined) tx.hdel(COPIES, one.copies);
  if (ids.length <= fitting) return true;
  for (const id of ids.slice(0, fitting)) tx.zrem(name, id);
  return false;
}
