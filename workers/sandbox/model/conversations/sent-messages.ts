import type { CallContext } from '../../../driver.ts';
import { sentKey } from './keys.ts';
import type { ConversationPart } from './unread-state.ts';

/** Records a message that the calling account sends, or `count` messages with consecutive ids up to `lastId`. */
export function recordSent(
  { tx, account }: CallContext,
  part: ConversationPart,
  lastId: number,
  count: number,
): void {
  const name = sentKey(account.userId, part.key, part.thread);
  if (count === 1) tx.zadd(name, lastId, lastId);
  else tx.zaddRun(name, lastId, count);
}

/**
 * How many messages above an id others have sent to a conversation, whose list of messages is `history`. The cost does not depend on their
 * number.
 */
export async function countOthers(
  { tx, account }: CallContext,
  part: ConversationPart,
  history: string,
  aboveId: number,
): Promise<number> {
  const above = `(${aboveId}`;
  const [all, own] = await Promise.all([
    tx.read.zcount(tx.key(history), above, '+inf'),
    tx.read.zcount(tx.key(sentKey(account.userId, part.key, part.thread)), above, '+inf'),
  ]);
  return Math.max(0, all - own);
}
