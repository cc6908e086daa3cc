import { untilSent } from '../../../../src/state/batch-reads.ts';
import type { CallContext } from '../../../driver.ts';
import { historyKey, messagesKey } from '../boxes/keys.ts';
import { type FoundMessage, findMessages } from '../boxes/messages.ts';
import { groupBy } from '../common/group-by.ts';
import { type PeerKey, SEQ, type Thread, userBox } from '../common/keys.ts';
import { dialogsKey, mentionsKey, pinnedKey, sentKey, threadsKey } from '../conversations/keys.ts';
import { readUnread, uncountUnread } from '../conversations/unread-state.ts';
import { peerKeyOf } from '../peers/tl-peer.ts';

/** Removes messages from an account's box, and from its counters, dates and lists. */
export async function removeCopies(call: CallContext, userId: number, found: FoundMessage[]): Promise<void> {
  const { tx } = call;
  const box = userBox(userId);
  for (const one of found) {
    const { id } = one.message;
    const key = peerKeyOf(one.message.peerId);
    tx.expectField(messagesKey(box), id, one.raw);
    tx.hdel(messagesKey(box), id);
    tx.zrem(historyKey(userId, key), id);
    if (one.thread !== undefined) tx.zrem(historyKey(userId, key, one.thread), id);
    if (one.message.out) tx.zrem(sentKey(userId, key), id);
    if (one.message.mentioned) tx.zrem(mentionsKey(userId, key), id);
    if (one.message._ === 'message' && one.message.pinned) tx.zrem(pinnedKey(userId, key), id);
  }
  await Promise.all(
    [...groupBy(found, (one) => peerKeyOf(one.message.peerId))].map(async ([key, group]) => {
      await Promise.all([uncount(call, userId, key, group), redate(call, userId, key, group)]);
    }),
  );
}

async function uncount(
  call: CallContext,
  userId: number,
  key: PeerKey,
  group: FoundMessage[],
): Promise<void> {
  const [state] = await readUnread(call, [{ key }], userId);
  if (!state) return;
  const removed = group.filter(({ message }) => !message.out && message.id > state.read).length;
  uncountUnread(call, userId, { key }, { state, removed });
}

// A dialog, or a thread of the own chat, has the date of its newest message, and ends with its last message.
async function redate(call: CallContext, userId: number, key: PeerKey, group: FoundMessage[]): Promise<void> {
  const box = userBox(userId);
  await redateList(call, userId, group, {
    name: historyKey(userId, key),
    dates: dialogsKey(userId),
    member: key,
  });
  const threads = new Set(group.map(({ thread }) => thread).filter((thread) => thread !== undefined));
  for (const thread of threads) {
    await redateList(call, userId, group, {
      name: historyKey(userId, key, thread),
      dates: threadsKey(box, key),
      member: thread,
    });
  }
}

async function redateList(
  call: CallContext,
  userId: number,
  group: FoundMessage[],
  { name, dates, member }: { name: string; dates: string; member: PeerKey | Thread },
): Promise<void> {
  const { tx } = call;
  const box = userBox(userId);
  const removed = new Set(group.map(({ message }) => String(message.id)));
  // Read the counter first: a message that arrives between the two reads raises it, so that the commit fails.
  const counting = tx.read.hget(tx.key(SEQ), `msg:${box}`);
  const listing = untilSent().then(() => tx.read.zrevrange(tx.key(name), 0, group.length));
  const [last, newest] = await Promise.all([counting, listing]);
  const remaining = newest.find((id) => !removed.has(id));
  // The new newest message must still exist.
  if (remaining !== undefined) tx.expectScore(name, remaining, remaining);
  if (!removed.has(newest[0] ?? '')) return;
  // Nothing may have arrived meanwhile.
  tx.expectField(SEQ, `msg:${box}`, last);
  const [top] = remaining === undefined ? [] : await findMessages(call, box, [remaining]);
  if (top) tx.zadd(dates, top.message.date, member);
  else tx.zrem(dates, member);
}
