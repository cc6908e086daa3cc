import { untilSent } from '../../../../src/state/batch-reads.ts';
import type { CallContext } from '../../../driver.ts';
import { historyKey } from '../boxes/keys.ts';
import { type FoundMessage, findMessages } from '../boxes/messages.ts';
import { viewChannelMessage } from '../boxes/view-message.ts';
import type { Thread } from '../common/keys.ts';
import { pageBudget } from '../common/read-budget.ts';
import { boxOf, type Peer } from '../peers/peer.ts';
import { peerKeyOf, toTlPeer } from '../peers/tl-peer.ts';
import { notifyOwnSessions } from '../people/users.ts';
import { unreadKey } from './keys.ts';
import { countOthers } from './sent-messages.ts';
import { ownThread } from './topics.ts';
import { countUnread, markedField, setMarked, unreadCounter, unreadField } from './unread-state.ts';

/** Only the senders of this many of the newest read messages, and of a page of them, are notified. */
const NEWEST = 100;

/** What differs from Telegram in every method that reads a conversation up to a message. */
export const readUpToDifference =
  'Tells the senders of the newest 100 messages that are read, or of the newest 4 MiB of them.';

/** The changes of reading a conversation up to a message. */
export interface ReadOutcome {
  maxId: number;
  stillUnread: number;
  /** The newest message of each other user that was read just now. */
  newest: FoundMessage[];
}

/**
 * Marks a conversation, or one thread of it, as read up to a message (0: to its end); null if it was already read that far. A conversation
 * that the account has marked as unread is that no longer. The commit fails if it is read, or a message arrives, meanwhile.
 */
export async function readUpTo(
  call: CallContext,
  peer: Peer,
  askedId: number,
  thread?: Thread,
): Promise<ReadOutcome | null> {
  const { tx, account } = call;
  const name = historyKey(account.userId, peer.key, thread ?? ownThread(call, peer));
  const part = { key: peer.key, thread };
  const [counters, counter] = unreadCounter(account.userId, part);
  const [marks, mark] = [unreadKey(account.userId), `read:${unreadField(part)}`];
  const [counted, [readMark = null, unreadMark = null], [top]] = await Promise.all([
    tx.read.hget(tx.key(counters), counter),
    tx.read.hmget(tx.key(marks), mark, markedField(peer.key)),
    // Read after the counter, which every arriving message raises.
    untilSent().then(() => tx.read.zrevrange(tx.key(name), 0, 0)),
  ]);
  const [count, read] = [Number(counted ?? 0), Number(readMark ?? 0)];
  const topId = Number(top ?? 0);
  const maxId = askedId > 0 ? Math.min(askedId, topId) : topId;
  const isMarked = unreadMark !== null && thread === undefined;
  if (isMarked) setMarked(call, peer.key, false);
  if (maxId <= read && (count === 0 || maxId < topId)) {
    // Where it was read further, clients hear of that and remove the mark by themselves.
    if (isMarked) notifyUnmarked(call, peer);
    return null;
  }
  const stillUnread = maxId >= topId ? 0 : Math.min(count, await countOthers(call, part, name, maxId));
  tx.expectField(counters, counter, counted);
  tx.expectField(marks, mark, readMark);
  tx.hset(marks, mark, String(Math.max(read, maxId)));
  if (stillUnread < count) countUnread(call, account.userId, part, stillUnread - count);
  return {
    maxId,
    stillUnread,
    newest: await findNewest(call, peer, name, read, maxId),
  };
}

function notifyUnmarked(call: CallContext, peer: Peer): void {
  const dialog = { _: 'dialogPeer', peer: toTlPeer(peer) } as const;
  notifyOwnSessions(call, { _: 'updateDialogUnreadMark', peer: dialog });
}

async function findNewest(
  call: CallContext,
  peer: Peer,
  name: string,
  above: number,
  upTo: number,
): Promise<FoundMessage[]> {
  const ids = await call.tx.read.zrevrangebyscore(call.tx.key(name), upTo, `(${above}`, 'LIMIT', 0, NEWEST);
  const found = await findMessages(call, boxOf(call, peer), ids, pageBudget());
  const newest = new Map<string, FoundMessage>();
  for (const one of found) {
    if (!one || isOwn(call, one) || one.message.fromId === undefined) continue;
    const sender = peerKeyOf(one.message.fromId);
    if (!newest.has(sender)) newest.set(sender, one);
  }
  return [...newest.values()];
}

function isOwn(call: CallContext, one: FoundMessage): boolean {
  return viewChannelMessage(one, call.account.userId, { mentionUnread: false, consumed: false }).out === true;
}
