import type { CallContext } from '../../../driver.ts';
import { findTopAfter } from '../boxes/find-top-after.ts';
import { historyKey, messagesKey } from '../boxes/keys.ts';
import type { FoundMessage } from '../boxes/messages.ts';
import { groupBy } from '../common/group-by.ts';
import { type PeerKey, type Thread, userBox } from '../common/keys.ts';
import {
  dialogsKey,
  emptiedKey,
  mentionsKey,
  pinnedKey,
  pollVotesKey,
  sentKey,
  threadsKey,
} from '../conversations/keys.ts';
import { readUnread, uncountUnread } from '../conversations/unread-state.ts';
import { peerKeyOf } from '../peers/tl-peer.ts';
import { pollOf } from './show-polls.ts';

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
    // No message of an account's own chat is `out`, but its polls can be forwarded, and so get votes.
    const isOwn = one.message.out || key === box;
    if (isOwn && pollOf(one.message)) tx.zrem(pollVotesKey(userId, key), id);
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

// A dialog, or a thread of an account's own chat, has the date of its newest message, and ends with its last message.
async function redate(call: CallContext, userId: number, key: PeerKey, group: FoundMessage[]): Promise<void> {
  const box = userBox(userId);
  const hasDialog = await redateList(call, userId, group, {
    name: historyKey(userId, key),
    dates: dialogsKey(userId),
    member: key,
  });
  // A reset finds a user's groups by their dialogs, so it is told of those without one. Only for the account itself: deleting a message for all
  // of a large group leaves no room for more writes.
  const isOwn = userId === call.account.userId;
  if (isOwn && !hasDialog && key.startsWith('g')) call.tx.sadd(emptiedKey(userId), key.slice(1));
  const threads = new Set(group.map(({ thread }) => thread).filter((thread) => thread !== undefined));
  for (const thread of threads) {
    await redateList(call, userId, group, {
      name: historyKey(userId, key, thread),
      dates: threadsKey(box, key),
      member: thread,
    });
  }
}

// Returns whether anything is left.
async function redateList(
  call: CallContext,
  userId: number,
  group: FoundMessage[],
  { name, dates, member }: { name: string; dates: string; member: PeerKey | Thread },
): Promise<boolean> {
  const top = await findTopAfter(call, userBox(userId), name, group);
  if (top) call.tx.zadd(dates, top.message.date, member);
  else if (top === null) call.tx.zrem(dates, member);
  return top !== null;
}
