import type { CallContext } from '../../../driver.ts';
import { historyKey, messagesKey } from '../boxes/keys.ts';
import { type FoundMessage, findMessages } from '../boxes/messages.ts';
import { viewOf } from '../boxes/view-message.ts';
import { groupBy } from '../common/group-by.ts';
import { channelBox, SEQ, type Thread } from '../common/keys.ts';
import { readersOf } from '../conversations/channel-readers.ts';
import { mentionsKey, sentKey, threadsKey } from '../conversations/keys.ts';
import { countUnread, readUnread } from '../conversations/unread-state.ts';
import type { ChannelPeer } from '../peers/peer.ts';
import { targetOf, type UserRecord } from '../people/users.ts';
import { postOf } from './forwards.ts';
import { forwardsKey } from './keys.ts';
import { removePublicForward } from './public-forwards.ts';

// Of each message: itself, two histories, what its author sent twice, its entry among the forwards of another.
const WRITES_EACH = 6;
const ROOM_KEPT = 250;

/** Removes messages from a channel, as many as fit one commit, notifies its readers, and returns their number. */
export async function removePosts(
  call: CallContext,
  peer: ChannelPeer,
  found: FoundMessage[],
): Promise<number> {
  const { tx } = call;
  const posts = found.slice(0, Math.floor((tx.room - ROOM_KEPT) / WRITES_EACH));
  if (posts.length === 0) return 0;
  const box = channelBox(peer.id);
  for (const one of posts) remove(call, peer, one);
  const pts = tx.allocate(SEQ, `pts:${box}`, posts.length);
  const byThread = groupBy(posts, (one) => one.thread);
  for (const [thread, group] of byThread) {
    if (thread !== undefined) await redateThread(call, peer, thread, group);
    const readers = await readersOf(call, peer, thread);
    await uncount(call, peer, readers, group);
    for (const reader of readers) {
      if (reader.id === call.account.userId) continue;
      tx.update(targetOf(reader), {
        _: 'updateDeleteChannelMessages',
        channelId: peer.id,
        messages: group.map(({ message }) => message.id),
        pts,
        ptsCount: posts.length,
      });
    }
  }
  return posts.length;
}

function remove(call: CallContext, { id: channelId, key, channel }: ChannelPeer, one: FoundMessage): void {
  const { tx } = call;
  const { id } = one.message;
  const box = channelBox(channelId);
  tx.expectField(messagesKey(box), id, one.raw);
  tx.hdel(messagesKey(box), id);
  tx.zrem(historyKey(0, key), id);
  if (one.thread !== undefined) tx.zrem(historyKey(0, key, one.thread), id);
  if (one.authorId !== undefined) {
    tx.zrem(sentKey(one.authorId, key), id);
    if (one.thread !== undefined) tx.zrem(sentKey(one.authorId, key, one.thread), id);
  }
  for (const userId of one.mentions ?? []) {
    tx.zrem(mentionsKey(userId, key), id);
    if (one.thread !== undefined) tx.zrem(mentionsKey(userId, key, one.thread), id);
  }
  if (one.message._ !== 'message') return;
  if (one.message.post) tx.del(forwardsKey({ channelId, msgId: id }), 'z');
  const origin = one.message.fwdFrom ? postOf(one.message) : null;
  if (origin && channel.username !== null) removePublicForward(call, origin, { channelId, msgId: id });
}

async function uncount(
  call: CallContext,
  { key }: ChannelPeer,
  readers: UserRecord[],
  group: FoundMessage[],
): Promise<void> {
  const thread = group[0]?.thread;
  const parts = thread === undefined ? [{ key }] : [{ key }, { key, thread }];
  const states = await Promise.all(readers.map(({ id }) => readUnread(call, parts, id)));
  for (const [i, { id: userId }] of readers.entries()) {
    for (const [j, { count, read }] of (states[i] ?? []).entries()) {
      const unread = group.filter((one) => one.message.id > read && !isBy(one, userId)).length;
      const gone = Math.min(unread, count);
      if (gone > 0) countUnread(call, userId, parts[j] ?? { key }, -gone);
    }
  }
}

function isBy(one: FoundMessage, userId: number): boolean {
  return viewOf(one, userId, { mentionUnread: false, consumed: true }).out === true;
}

async function redateThread(
  call: CallContext,
  { id, key }: ChannelPeer,
  thread: Thread,
  group: FoundMessage[],
): Promise<void> {
  const { tx } = call;
  const box = channelBox(id);
  const removed = new Set(group.map(({ message }) => String(message.id)));
  const [newest, last] = await Promise.all([
    tx.read.zrevrange(tx.key(historyKey(0, key, thread)), 0, group.length),
    tx.read.hget(tx.key(SEQ), `msg:${box}`),
  ]);
  if (!removed.has(newest[0] ?? '')) return;
  tx.expectField(SEQ, `msg:${box}`, last);
  const remaining = newest.find((other) => !removed.has(other));
  const [top] = remaining === undefined ? [] : await findMessages(call, box, [remaining]);
  if (top) tx.zadd(threadsKey(box, key), top.message.date, thread);
  else tx.zrem(threadsKey(box, key), thread);
}
