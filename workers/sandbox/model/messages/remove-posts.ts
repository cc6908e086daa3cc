import type { CallContext } from '../../../driver.ts';
import { historyKey, messagesKey } from '../boxes/keys.ts';
import type { FoundMessage } from '../boxes/messages.ts';
import { viewChannelMessage } from '../boxes/view-message.ts';
import { type DeletedPosts, recordChannelEvent } from '../chats/channel-events.ts';
import { observeMemberIds } from '../chats/channel-members.ts';
import { findMember, type MemberRecord } from '../chats/chats.ts';
import { groupBy } from '../common/group-by.ts';
import { channelBox, type PeerKey, type Thread } from '../common/keys.ts';
import { readersOf } from '../conversations/channel-readers.ts';
import { mentionsKey, pinnedKey, pollVotesKey, sentKey } from '../conversations/keys.ts';
import { readUnread, uncountUnread } from '../conversations/unread-state.ts';
import type { ChannelPeer } from '../peers/peer.ts';
import { targetOf, type UserRecord } from '../people/users.ts';
import { forgetViewers, hasListeners, hasViews } from '../reactions/forget-viewers.ts';
import { reactedKey, reactionDaysKey, reactionsKey, viewsKey } from '../reactions/keys.ts';
import { removeForward } from './channel-forwards.ts';
import { postOf } from './forwards.ts';
import { forwardsKey } from './keys.ts';
import { redateDialogs, redateThread } from './redate-posts.ts';
import { pollOf } from './show-polls.ts';

// Of each message: itself, two histories, two lists of what its author has sent, its pin, its forwards, and its entry in another's forwards.
const WRITES_EACH = 8;
const WRITES_OF_REACTED = 3;
// How often it was viewed, on which days, and by whom.
const WRITES_OF_VIEWED = 3;
// Of each thread for each reader: how much is unread in it, and in the whole channel.
const COUNTERS_OF_READER = 2;
// Of a poll: its entries in two lists of unread votes.
const WRITES_OF_POLL = 2;
const WRITES_RESERVED = 20;
// The commit checks that removed messages are unchanged, and so contains their texts.
const CHARACTERS_MAX = 700_000;

/**
 * Removes messages from a channel, as many as fit one commit, and notifies its readers. Returns how many it has removed. `known` has the ids
 * of those with reactions, if they were read before; the commit fails if that has changed.
 */
export async function removePosts(
  call: CallContext,
  peer: ChannelPeer,
  found: FoundMessage[],
  known?: ReadonlySet<number>,
): Promise<number> {
  const members = await observeMemberIds(call, peer.id);
  const reacted = known ?? (await listReacted(call, peer, found));
  const posts = takeFitting(call, found, members.length, reacted);
  if (posts.length === 0) return 0;
  for (const one of posts) remove(call, peer, one, reacted.has(one.message.id));
  await redateDialogs(call, peer, posts, members);
  const byThread = groupBy(posts, (one) => one.thread);
  const notices = new Map<number, { reader: UserRecord; messages: number[] }>();
  for (const [thread, group] of byThread) {
    if (thread !== undefined) await redateThread(call, peer, thread, group);
    const readers = await readersOf(call, peer, thread, { memberIds: members });
    await uncount(call, peer, readers, group);
    const ids = group.map(({ message }) => message.id);
    for (const reader of readers)
      notices.set(reader.id, { reader, messages: [...(notices.get(reader.id)?.messages ?? []), ...ids] });
  }
  const deleted = [...byThread].map(([thread, group]) => toDeleted(thread, group));
  const ptsCount = posts.length;
  const pts = recordChannelEvent(call, peer.id, ptsCount, { deleted });
  const update = { _: 'updateDeleteChannelMessages', channelId: peer.id, pts, ptsCount } as const;
  for (const { reader, messages } of notices.values())
    call.tx.update(targetOf(reader), { ...update, messages });
  return posts.length;
}

/** Whether one commit can remove all these messages of a channel and do `otherWrites` besides; `members` is the channel's number of members. */
export function canRemoveAll(
  call: CallContext,
  found: FoundMessage[],
  { members, reacted, otherWrites }: { members: number; reacted: ReadonlySet<number>; otherWrites: number },
): boolean {
  return takeFitting(call, found, members, reacted, otherWrites).length === found.length;
}

function toDeleted(thread: Thread | undefined, group: FoundMessage[]): DeletedPosts {
  return {
    thread,
    ids: group.map(({ message }) => message.id),
    arrived: group.map(({ pts = 0 }) => pts),
  };
}

/** Ids of those of a channel's messages that have reactions. */
export async function listReacted(
  { tx }: CallContext,
  { id }: ChannelPeer,
  found: FoundMessage[],
): Promise<Set<number>> {
  const ids = found.map(({ message }) => message.id);
  if (ids.length === 0) return new Set();
  const isReacted = await tx.read.smismember(tx.key(reactedKey(id)), ...ids);
  return new Set(ids.filter((_, i) => isReacted[i] === 1));
}

function takeFitting(
  { tx }: CallContext,
  found: FoundMessage[],
  members: number,
  reacted: ReadonlySet<number>,
  otherWrites = 0,
): FoundMessage[] {
  let writesLeft = tx.writesLeft - otherWrites - WRITES_RESERVED - members;
  let countersLeft = tx.countersLeft - WRITES_RESERVED;
  let characters = CHARACTERS_MAX;
  const threads = new Set<Thread | undefined>();
  return found.filter(({ message, thread, mentions = [], raw }, i) => {
    characters -= raw.length;
    if (!threads.has(thread)) countersLeft -= COUNTERS_OF_READER * (members + 1);
    threads.add(thread);
    writesLeft -= WRITES_EACH + 2 * mentions.length;
    if (reacted.has(message.id)) writesLeft -= WRITES_OF_REACTED;
    if (hasViews(message)) writesLeft -= WRITES_OF_VIEWED;
    if (hasListeners(message)) writesLeft -= 1;
    if (pollOf(message)) writesLeft -= WRITES_OF_POLL;
    return writesLeft >= 0 && countersLeft >= 0 && (i === 0 || characters >= 0);
  });
}

function remove(
  call: CallContext,
  { id: channelId, key }: ChannelPeer,
  one: FoundMessage,
  isReacted: boolean,
): void {
  const { tx } = call;
  const { id } = one.message;
  const box = channelBox(channelId);
  tx.expectField(messagesKey(box), id, one.raw);
  tx.hdel(messagesKey(box), id);
  tx.zrem(historyKey(0, key), id);
  if (one.thread !== undefined) tx.zrem(historyKey(0, key, one.thread), id);
  removeFromLists(call, key, one);
  // A reaction that comes meanwhile would stay behind.
  tx.expectMember(reactedKey(channelId), id, isReacted);
  if (isReacted) {
    tx.srem(reactedKey(channelId), id);
    tx.del(reactionsKey(`${box}:${id}`), 'h');
    tx.del(reactionDaysKey({ channelId, msgId: id }), 'h');
  }
  if (hasViews(one.message)) tx.hdel(viewsKey(channelId), id);
  forgetViewers(call, { channelId, msgId: id }, one.message);
  if (one.message._ !== 'message') return;
  if (one.message.pinned) tx.zrem(pinnedKey(0, key), id);
  if (one.message.post) tx.del(forwardsKey({ channelId, msgId: id }), 'z');
  const origin = one.message.fwdFrom ? postOf(one.message) : null;
  if (origin) removeForward(call, origin, { channelId, msgId: id });
}

// The lists of what users have sent, were mentioned in, or have unread votes in.
function removeFromLists({ tx }: CallContext, key: PeerKey, one: FoundMessage): void {
  const { message, authorId, mentions = [], thread } = one;
  const removeFrom = (listOf: typeof sentKey, userId: number) => {
    tx.zrem(listOf(userId, key), message.id);
    if (thread !== undefined) tx.zrem(listOf(userId, key, thread), message.id);
  };
  if (authorId !== undefined) removeFrom(sentKey, authorId);
  if (authorId !== undefined && pollOf(message)) removeFrom(pollVotesKey, authorId);
  for (const userId of mentions) removeFrom(mentionsKey, userId);
}

async function uncount(
  call: CallContext,
  { id: channelId, key }: ChannelPeer,
  readers: UserRecord[],
  group: FoundMessage[],
): Promise<void> {
  const thread = group[0]?.thread;
  const parts = thread === undefined ? [{ key }] : [{ key }, { key, thread }];
  const [states, members] = await Promise.all([
    Promise.all(readers.map(({ id }) => readUnread(call, parts, id))),
    Promise.all(readers.map(({ id }) => findMember(call, channelId, id))),
  ]);
  for (const [i, { id: userId }] of readers.entries()) {
    // Messages from before the reader joined never counted as unread. Its read mark of the channel comes after them, that of a thread may not.
    const isSince = sinceTest(members[i] ?? null);
    const counted = group.filter((one) => isSince(one) && !isBy(one, userId));
    for (const [j, state] of (states[i] ?? []).entries()) {
      const removed = counted.filter(({ message }) => message.id > state.read).length;
      uncountUnread(call, userId, parts[j] ?? { key }, { state, removed });
    }
  }
}

/**
 * Returns a test of whether a message came after the member joined. Without a membership, as for users who write to a monoforum, it is always
 * true.
 */
function sinceTest(member: MemberRecord | null): (one: FoundMessage) => boolean {
  const { date = 0, sinceId } = member ?? {};
  return ({ message }) => (sinceId === undefined ? message.date >= date : message.id > sinceId);
}

function isBy(one: FoundMessage, userId: number): boolean {
  return viewChannelMessage(one, userId, { mentionUnread: false, consumed: true }).out === true;
}
