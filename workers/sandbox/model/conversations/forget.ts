import type { CallContext } from '../../../driver.ts';
import { historyKey } from '../boxes/keys.ts';
import { listMemberIds } from '../chats/chats.ts';
import { joinedKey, membersKey } from '../chats/keys.ts';
import type { Forgetting } from '../common/forget.ts';
import { channelBox, type PeerKey, type Thread, userBox } from '../common/keys.ts';
import {
  dialogsKey,
  draftDatesKey,
  draftsKey,
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
// Writes left to the later steps.
const ROOM_KEPT = 60;
const WRITES_OF_MEMBER = 9;
const WRITES_OF_THREAD = 5;

/** What a reset removes of conversations; those of an account itself are removed one by one, by `forgetConversation`. */
export const conversations: Forgetting = {
  ownKeys: (userId) => [
    [dialogsKey(userId), 'z'],
    [unreadKey(userId), 'h'],
    [draftsKey(userId), 'h'],
    [draftDatesKey(userId), 'z'],
  ],
  channelKeys: (channelId) => [
    [topicsKey(channelId), 'h'],
    [pinnedKey(0, `c${channelId}`), 'z'],
  ],
  async forgetChannel(call, channelId) {
    const members = await listMemberIds(call, channelId);
    return (
      (await forgetThreadsOf(call, channelId, members)) && (await removeMembers(call, channelId, members))
    );
  },
};

/**
 * Forgets what a user has of a conversation, and takes it off the user's list of dialogs. False where it has more threads than are
 * forgotten at once.
 */
export async function forgetConversation(call: CallContext, userId: number, peer: PeerKey): Promise<boolean> {
  if (!(await forgetOwnThreads(call, userId, peer))) return false;
  forgetAllButThreads(call, userId, peer);
  return true;
}

function forgetAllButThreads(call: CallContext, userId: number, peer: PeerKey): void {
  const { tx } = call;
  forgetLists(call, userId, peer);
  if (!peer.startsWith('c')) for (const toKey of [historyKey, pinnedKey]) tx.del(toKey(userId, peer), 'z');
  tx.hdel(...unreadCounter(userId, { key: peer }));
  for (const mark of ['read', 'seen']) tx.hdel(unreadKey(userId), `${mark}:${peer}`);
  tx.zrem(dialogsKey(userId), peer);
}

async function forgetOwnThreads(call: CallContext, userId: number, peer: PeerKey): Promise<boolean> {
  const { tx } = call;
  const isChannel = peer.startsWith('c');
  const name = threadsKey(isChannel ? channelBox(Number(peer.slice(1))) : userBox(userId), peer);
  const threads = (await tx.read.zrange(tx.key(name), '0', String(THREADS_AT_ONCE))) as Thread[];
  const room = Math.floor((tx.room - ROOM_KEPT) / WRITES_OF_THREAD);
  const fitting = Math.max(0, Math.min(THREADS_AT_ONCE, room));
  for (const thread of threads.slice(0, fitting)) {
    forgetLists(call, userId, peer, thread);
    if (isChannel) {
      forgetUnread(call, userId, { key: peer, thread });
      continue;
    }
    tx.del(historyKey(userId, peer, thread), 'z');
    tx.zrem(name, thread);
  }
  return isChannel || threads.length <= fitting;
}

async function forgetThreadsOf(call: CallContext, channelId: number, members: number[]): Promise<boolean> {
  const { tx } = call;
  const key: PeerKey = `c${channelId}`;
  const name = threadsKey(channelBox(channelId), key);
  const fitting = Math.floor((tx.room - ROOM_KEPT) / (WRITES_OF_THREAD * members.length + 2));
  const threads = (await tx.read.zrange(tx.key(name), '0', String(fitting))) as Thread[];
  for (const thread of threads.slice(0, fitting)) {
    for (const userId of members) {
      forgetLists(call, userId, key, thread);
      forgetUnread(call, userId, { key, thread });
    }
    tx.del(historyKey(0, key, thread), 'z');
    tx.zrem(name, thread);
  }
  return threads.length <= fitting;
}

async function removeMembers(call: CallContext, channelId: number, members: number[]): Promise<boolean> {
  const fitting = Math.floor((call.tx.room - ROOM_KEPT) / WRITES_OF_MEMBER);
  for (const userId of members.slice(0, fitting)) {
    forgetAllButThreads(call, userId, `c${channelId}`);
    call.tx.hdel(membersKey(channelId), userId);
    call.tx.srem(joinedKey(userId), channelId);
  }
  return members.length <= fitting;
}

function forgetLists({ tx }: CallContext, userId: number, peer: PeerKey, thread?: Thread): void {
  for (const toKey of [mentionsKey, pollVotesKey, sentKey]) tx.del(toKey(userId, peer, thread), 'z');
}

function forgetUnread({ tx }: CallContext, userId: number, part: ConversationPart): void {
  const field = unreadField(part);
  for (const one of [field, `read:${field}`]) tx.hdel(unreadKey(userId), one);
}
