import type { CallContext } from '../../../../driver.ts';
import { historyKey } from '../../boxes/keys.ts';
import { listMemberIds } from '../../chats/chats.ts';
import { CLOSING } from '../../chats/keys.ts';
import { postponeWork } from '../../common/due.ts';
import type { Forgetting } from '../../common/forget.ts';
import { channelBox, type PeerKey, type Thread, userBox } from '../../common/keys.ts';
import { findUsers, targetOf } from '../../people/users.ts';
import { forgetDraftsOf } from '../drafts.ts';
import {
  archivedKey,
  dialogsKey,
  draftDatesKey,
  draftsKey,
  emptiedKey,
  foldersKey,
  pinnedKey,
  threadsKey,
  topicsKey,
  unreadKey,
} from '../keys.ts';
import {
  FIRST,
  forgetAllButThreads,
  forgetLists,
  forgetUnread,
  forgetUser,
  THREADS_SCANNED,
  type ThreadBudget,
  toWork,
  WRITES_OF_THREAD,
  WRITES_RESERVED,
} from './forget-user.ts';

const THREADS_AT_ONCE = 40;
const WRITES_OF_MEMBER = 9;
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
    [emptiedKey(userId), 's'],
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
    // The removal of threads that do not fit the commit is postponed.
    const left = { userId, channelId: Number(peer.slice(1)), cursor: FIRST };
    const rest = await forgetUser(call, left, { left: THREADS_SCANNED });
    if (rest) await postponeWork(call, toWork(rest));
    return true;
  }
  if (!(await forgetOwnThreads(call, userId, peer))) return false;
  forgetAllButThreads(call, userId, peer);
  return true;
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
