import type { CallContext } from '../../../../driver.ts';
import { historyKey } from '../../boxes/keys.ts';
import { membersKey } from '../../chats/keys.ts';
import { DUE, letOthersGoFirst, postponeWork } from '../../common/due.ts';
import { channelBox, type PeerKey, type Thread } from '../../common/keys.ts';
import type { ChannelPeer } from '../../peers/peer.ts';
import { forgetDraftsOf } from '../drafts.ts';
import {
  archivedKey,
  dialogsKey,
  mentionsKey,
  pinnedKey,
  pollVotesKey,
  sentKey,
  threadsKey,
  unreadKey,
} from '../keys.ts';
import { type ConversationPart, unreadCounter, unreadField } from '../unread-state.ts';

// How many of a channel's threads, which may be many, are read at once, and in one call for all users together.
const THREADS_READ = 200;
export const THREADS_SCANNED = 1_000;
// Looking at a thread costs about as much as reading so many characters.
const CHARACTERS_OF_THREAD = 2_048;
/** The first and the last cursor of a scan. Who begins there has drafts removed as well. */
export const FIRST = '0';
// Stands for the first cursor once drafts have been removed: those that a user saves in a public channel after leaving it stay.
const WITHOUT_DRAFTS = 'threads';
/** Writes that are left for later steps. */
export const WRITES_RESERVED = 60;
export const WRITES_OF_THREAD = 6;

/**
 * Removes a user's data of a channel that it leaves, and its dialog. Its threads are looked through once more after the commit: until then,
 * others may note something of the user in threads that were already seen here, or begin new ones.
 */
export async function forgetLeftChannel(
  call: CallContext,
  userId: number,
  { id: channelId, channel }: Pick<ChannelPeer, 'id' | 'channel'>,
): Promise<void> {
  const left = { userId, channelId, cursor: FIRST };
  const rest = await forgetUser(call, left, { left: THREADS_SCANNED });
  if (rest?.cursor === FIRST) await postponeWork(call, toWork(rest));
  else if (rest || channel.forum || channel.kind === 'monoforum')
    await postponeWork(call, toWork({ ...left, cursor: WITHOUT_DRAFTS }));
}

/** A user's remaining data in threads of a channel: those from a cursor on. */
export interface LeftInThreads {
  userId: number;
  channelId: number;
  cursor: string;
}

/** How many threads one call may still look at. */
export interface ThreadBudget {
  left: number;
}

/** Continues postponed work, unless the user has joined the channel again. */
export async function continueForgetting(call: CallContext, work: string): Promise<void> {
  const { tx } = call;
  const [, userId = 0, channelId = 0, cursor = FIRST] = work.split(':');
  const left = { userId: Number(userId), channelId: Number(channelId), cursor: String(cursor) };
  tx.zrem(DUE, work);
  if ((await tx.observe(membersKey(left.channelId), left.userId)) !== null) return;
  const rest = await forgetInThreads(call, left, { left: THREADS_SCANNED });
  if (rest) letOthersGoFirst(call, toWork(rest));
}

export function toWork({ userId, channelId, cursor }: LeftInThreads): string {
  return `left:${userId}:${channelId}:${cursor}`;
}

/** Removes a user's data of a channel, and of its threads as far as it fits the commit. Returns the rest, or null if that was all. */
export function forgetUser(
  call: CallContext,
  left: LeftInThreads,
  budget: ThreadBudget,
): Promise<LeftInThreads | null> {
  forgetAllButThreads(call, left.userId, `c${left.channelId}`);
  return forgetInThreads(call, left, budget);
}

async function forgetInThreads(
  call: CallContext,
  { userId, channelId, cursor }: LeftInThreads,
  budget: ThreadBudget,
): Promise<LeftInThreads | null> {
  const key: PeerKey = `c${channelId}`;
  const writes = call.tx.writesLeft - WRITES_RESERVED;
  if (cursor === FIRST && !(await forgetDraftsOf(call, userId, { key, writes })))
    return { userId, channelId, cursor };
  const name = call.tx.key(threadsKey(channelBox(channelId), key));
  let at = cursor === WITHOUT_DRAFTS ? FIRST : cursor;
  while (budget.left > 0) {
    const [next, found] = await call.tx.read.zscan(name, at, 'COUNT', THREADS_READ);
    const threads = found.filter((_, i) => i % 2 === 0) as Thread[];
    budget.left -= threads.length;
    if (!(await forgetIn(call, userId, key, threads))) break;
    if (next === FIRST) return null;
    at = next;
  }
  return { userId, channelId, cursor: at === FIRST ? WITHOUT_DRAFTS : at };
}

// Threads are shared by all users, so the user's own remaining data show the progress.
async function forgetIn(
  call: CallContext,
  userId: number,
  key: PeerKey,
  threads: readonly Thread[],
): Promise<boolean> {
  const { tx } = call;
  tx.charactersRead += threads.length * CHARACTERS_OF_THREAD;
  const fields = threads.flatMap((thread) => unreadFieldsOf({ key, thread }));
  const [lists, marks] = await Promise.all([
    Promise.all(
      threads.map((thread) => tx.read.exists(...listsOf(userId, key, thread).map((name) => tx.key(name)))),
    ),
    fields.length === 0 ? [] : tx.read.hmget(tx.key(unreadKey(userId)), ...fields),
  ]);
  const width = fields.length / threads.length;
  for (const [i, thread] of threads.entries()) {
    const isMarked = marks.slice(i * width, (i + 1) * width).some((mark) => mark !== null);
    if (lists[i] === 0 && !isMarked) continue;
    if (tx.writesLeft < WRITES_RESERVED + WRITES_OF_THREAD) return false;
    if (lists[i] !== 0) forgetLists(call, userId, key, thread);
    if (isMarked) forgetUnread(call, userId, { key, thread });
  }
  return true;
}

export function forgetAllButThreads(call: CallContext, userId: number, peer: PeerKey): void {
  const { tx } = call;
  forgetLists(call, userId, peer);
  if (!peer.startsWith('c')) for (const toKey of [historyKey, pinnedKey]) tx.del(toKey(userId, peer), 'z');
  tx.hdel(...unreadCounter(userId, { key: peer }));
  for (const mark of ['read', 'seen', 'marked']) tx.hdel(unreadKey(userId), `${mark}:${peer}`);
  tx.srem(archivedKey(userId), peer);
  tx.zrem(dialogsKey(userId), peer);
}

function listsOf(userId: number, peer: PeerKey, thread?: Thread): string[] {
  return [mentionsKey, pollVotesKey, sentKey].map((toKey) => toKey(userId, peer, thread));
}

export function forgetLists({ tx }: CallContext, userId: number, peer: PeerKey, thread?: Thread): void {
  for (const name of listsOf(userId, peer, thread)) tx.del(name, 'z');
}

/** Removes a user's read state of a part of a conversation. */
export function forgetUnread({ tx }: CallContext, userId: number, part: ConversationPart): void {
  for (const field of unreadFieldsOf(part)) tx.hdel(unreadKey(userId), field);
}

function unreadFieldsOf(part: ConversationPart): string[] {
  const field = unreadField(part);
  return [field, `read:${field}`, `seen:${field}`];
}
