import type { CallContext } from '../../../driver.ts';
import { historyKey } from '../boxes/keys.ts';
import { listMemberIds } from '../chats/chats.ts';
import { CLOSING, membersKey } from '../chats/keys.ts';
import { DUE, postponeWork } from '../common/due.ts';
import type { Forgetting } from '../common/forget.ts';
import { channelBox, type PeerKey, type Thread, userBox } from '../common/keys.ts';
import { findUsers, targetOf } from '../people/users.ts';
import { forgetDraftsOf } from './drafts.ts';
import {
  archivedKey,
  dialogsKey,
  draftDatesKey,
  draftsKey,
  foldersKey,
  mentionsKey,
  pinnedKey,
  pollVotesKey,
  sentKey,
  threadsKey,
  topicsKey,
  unreadKey,
} from './keys.ts';
import { type ConversationPart, unreadCounter, unreadField } from './unread-state.ts';

const THREADS_AT_ONCE = 40;
// How many of a channel's threads, which may be many, are read at once, and in one call for all users together.
const THREADS_READ = 200;
const THREADS_SCANNED = 1_000;
// The first and the last cursor of a scan.
const FIRST = '0';
// Writes that are left for later steps.
const WRITES_RESERVED = 60;
const WRITES_OF_MEMBER = 9;
const WRITES_OF_THREAD = 6;
// A writer has at most two drafts, one of them in its thread.
const WRITES_OF_DRAFTS = 4;
const WRITES_OF_WRITER = WRITES_OF_MEMBER + WRITES_OF_THREAD + WRITES_OF_DRAFTS;

/** What a reset removes of conversations; those of an account itself are removed one by one, by `forgetConversation`. */
export const conversations: Forgetting = {
  ownKeys: (userId) => [
    [dialogsKey(userId), 'z'],
    [unreadKey(userId), 'h'],
    [draftsKey(userId), 'h'],
    [draftDatesKey(userId), 'z'],
    [foldersKey(userId), 'h'],
    [archivedKey(userId), 's'],
  ],
  channelKeys: (channelId) => [
    [topicsKey(channelId), 'h'],
    [pinnedKey(0, `c${channelId}`), 'z'],
  ],
  async forgetChannel(call, channelId) {
    const raw = await call.tx.observe(CLOSING, channelId);
    const closing: Closing =
      raw === null ? { userIds: await listMemberIds(call, channelId), cursor: FIRST } : JSON.parse(raw);
    const isDone =
      (await forgetUsers(call, channelId, closing)) &&
      (await forgetWriters(call, channelId, closing)) &&
      (await forgetThreads(call, channelId));
    // Even if that was all: the next steps may not fit this commit.
    call.tx.hset(CLOSING, channelId, closing);
    return isDone;
  },
};

/** What is still to be removed of a channel: the data of these users (of the first user from a cursor on), then the rest. */
export interface Closing {
  userIds: number[];
  cursor: string;
  /** How many writers of a monoforum, newest first, are among these users or were before. */
  writers?: number;
}

/** The users with whom a monoforum has threads, newest first, from a position on. */
export async function listWriters(
  { tx }: CallContext,
  channelId: number,
  { from, count }: { from: number; count: number },
): Promise<number[]> {
  const name = tx.key(threadsKey(channelBox(channelId), `c${channelId}`));
  const threads = await tx.read.zrevrange(name, from, from + count - 1);
  return threads.map((thread) => Number(thread.slice(1)));
}

/**
 * Notifies the writers of a deleted monoforum who were not among the first, and removes their data of it, as far as it fits the commit.
 * Returns false if there may be more.
 */
export async function forgetWriters(
  call: CallContext,
  channelId: number,
  closing: Closing,
): Promise<boolean> {
  if (closing.writers === undefined) return true;
  const count = Math.floor((call.tx.writesLeft - WRITES_RESERVED) / WRITES_OF_WRITER);
  if (count <= 0) return false;
  const ids = await listWriters(call, channelId, { from: closing.writers, count });
  closing.writers += ids.length;
  const key: PeerKey = `c${channelId}`;
  const drafts = { key, writes: WRITES_OF_DRAFTS };
  await Promise.all(ids.map((userId) => forgetDraftsOf(call, userId, drafts)));
  for (const user of await findUsers(call, ids)) {
    if (!user) continue;
    // A writer sees no other threads.
    const thread: Thread = `u${user.id}`;
    forgetAllButThreads(call, user.id, key);
    forgetLists(call, user.id, key, thread);
    forgetUnread(call, user.id, { key, thread });
    if (!user.deleted) call.tx.update(targetOf(user), { _: 'updateChannel', channelId });
  }
  return ids.length < count;
}

/** Removes users' data of a channel, as far as it fits the commit, and records the progress. Returns false if there is more to remove. */
export async function forgetUsers(call: CallContext, channelId: number, closing: Closing): Promise<boolean> {
  const { userIds } = closing;
  const budget: ThreadBudget = { left: THREADS_SCANNED };
  for (let userId = userIds[0]; userId !== undefined; userId = userIds[0]) {
    if (call.tx.writesLeft < WRITES_RESERVED + WRITES_OF_MEMBER) return false;
    const rest = await forgetUser(call, { userId, channelId, cursor: closing.cursor }, budget);
    closing.cursor = rest?.cursor ?? FIRST;
    if (rest) return false;
    userIds.shift();
  }
  return true;
}

/** Removes a user's data of a conversation, and its dialog. False if it has more threads than are removed at once. */
export async function forgetConversation(call: CallContext, userId: number, peer: PeerKey): Promise<boolean> {
  if (peer.startsWith('c')) {
    await forgetChannelOf(call, userId, Number(peer.slice(1)));
    return true;
  }
  if (!(await forgetOwnThreads(call, userId, peer))) return false;
  forgetAllButThreads(call, userId, peer);
  return true;
}

/** Removes a user's data of a channel, and its dialog. The removal of threads that do not fit the commit is postponed. */
export async function forgetChannelOf(call: CallContext, userId: number, channelId: number): Promise<void> {
  const rest = await forgetUser(call, { userId, channelId, cursor: FIRST }, { left: THREADS_SCANNED });
  if (rest) await postponeWork(call, toWork(rest));
}

/** A user's remaining data in threads of a channel: those from a cursor on. */
interface LeftInThreads {
  userId: number;
  channelId: number;
  cursor: string;
}

/** How many threads one call may still look at. */
interface ThreadBudget {
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
  if (rest) tx.zadd(DUE, call.date, toWork(rest));
}

function toWork({ userId, channelId, cursor }: LeftInThreads): string {
  return `left:${userId}:${channelId}:${cursor}`;
}

/** Removes a user's data of a channel, and of its threads as far as it fits the commit. Returns the rest, or null if that was all. */
function forgetUser(
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
  if (!(await forgetDraftsOf(call, userId, { key, writes }))) return { userId, channelId, cursor };
  const name = call.tx.key(threadsKey(channelBox(channelId), key));
  let at = cursor;
  while (budget.left > 0) {
    const [next, found] = await call.tx.read.zscan(name, at, 'COUNT', THREADS_READ);
    const threads = found.filter((_, i) => i % 2 === 0) as Thread[];
    budget.left -= threads.length;
    if (!(await forgetIn(call, userId, key, threads))) break;
    if (next === FIRST) return null;
    at = next;
  }
  return { userId, channelId, cursor: at };
}

// Threads are shared by all users, so the user's own remaining data show the progress.
async function forgetIn(
  call: CallContext,
  userId: number,
  key: PeerKey,
  threads: readonly Thread[],
): Promise<boolean> {
  const { tx } = call;
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

function forgetAllButThreads(call: CallContext, userId: number, peer: PeerKey): void {
  const { tx } = call;
  forgetLists(call, userId, peer);
  if (!peer.startsWith('c')) for (const toKey of [historyKey, pinnedKey]) tx.del(toKey(userId, peer), 'z');
  tx.hdel(...unreadCounter(userId, { key: peer }));
  for (const mark of ['read', 'seen', 'marked']) tx.hdel(unreadKey(userId), `${mark}:${peer}`);
  tx.srem(archivedKey(userId), peer);
  tx.zrem(dialogsKey(userId), peer);
}

async function forgetOwnThreads(call: CallContext, userId: number, peer: PeerKey): Promise<boolean> {
  const { tx } = call;
  const name = threadsKey(userBox(userId), peer);
  const threads = (await tx.read.zrange(tx.key(name), '0', String(THREADS_AT_ONCE))) as Thread[];
  const affordable = Math.floor((tx.writesLeft - WRITES_RESERVED) / WRITES_OF_THREAD);
  const fitting = Math.max(0, Math.min(THREADS_AT_ONCE, affordable));
  for (const thread of threads.slice(0, fitting)) {
    forgetLists(call, userId, peer, thread);
    tx.del(historyKey(userId, peer, thread), 'z');
    tx.zrem(name, thread);
  }
  return threads.length <= fitting;
}

/** Removes the threads of a channel in which no user has data any more. False if there are more than fit the commit. */
export async function forgetThreads({ tx }: CallContext, channelId: number): Promise<boolean> {
  const key: PeerKey = `c${channelId}`;
  const name = threadsKey(channelBox(channelId), key);
  const fitting = Math.max(0, Math.floor((tx.writesLeft - WRITES_RESERVED) / 2));
  const threads = (await tx.read.zrange(tx.key(name), '0', String(fitting))) as Thread[];
  for (const thread of threads.slice(0, fitting)) {
    tx.del(historyKey(0, key, thread), 'z');
    tx.zrem(name, thread);
  }
  return threads.length <= fitting;
}

function listsOf(userId: number, peer: PeerKey, thread?: Thread): string[] {
  return [mentionsKey, pollVotesKey, sentKey].map((toKey) => toKey(userId, peer, thread));
}

function forgetLists({ tx }: CallContext, userId: number, peer: PeerKey, thread?: Thread): void {
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
