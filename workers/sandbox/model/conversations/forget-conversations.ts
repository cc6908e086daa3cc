import type { CallContext } from '../../../driver.ts';
import { historyKey } from '../boxes/keys.ts';
import type { ChatRecord } from '../chats/chats.ts';
import { CHATS } from '../chats/keys.ts';
import { channelBox, type PeerKey, type Thread, userBox } from '../common/keys.ts';
import { findUsers, targetOf } from '../people/users.ts';
import { pollVotesKey } from '../polls/keys.ts';
import { dialogsKey, mentionsKey, sentKey, threadsKey } from './keys.ts';
import { unreadCounter } from './unread-state.ts';

// What the rest of a reset may write.
const ROOM_KEPT = 250;
const DIALOGS_AT_ONCE = 50;
const THREADS_AT_ONCE = 40;

/**
 * Forgets what a user has of its conversations, and takes it out of its basic groups. False where there is more than fits a
 * commit: what was done is then taken off the list of dialogs, so that the next time goes on from there.
 */
export async function forgetConversations(call: CallContext, userId: number): Promise<boolean> {
  const { tx } = call;
  const dialogs = await tx.read.zrange(tx.key(dialogsKey(userId)), '0', String(DIALOGS_AT_ONCE));
  for (const peer of dialogs.slice(0, DIALOGS_AT_ONCE) as PeerKey[]) {
    if (tx.room < ROOM_KEPT) return false;
    if (!(await forgetThreads(call, userId, peer))) return false;
    tx.del(mentionsKey(userId, peer), 'z');
    tx.del(pollVotesKey(userId, peer), 'z');
    tx.del(sentKey(userId, peer), 'z');
    if (!peer.startsWith('c')) tx.del(historyKey(userId, peer), 'z');
    if (peer.startsWith('g')) await leaveGroup(call, userId, Number(peer.slice(1)));
    tx.hdel(...unreadCounter(userId, { key: peer }));
    tx.zrem(dialogsKey(userId), peer);
  }
  return dialogs.length <= DIALOGS_AT_ONCE && tx.room >= ROOM_KEPT;
}

async function forgetThreads(call: CallContext, userId: number, peer: PeerKey): Promise<boolean> {
  const { tx } = call;
  const isChannel = peer.startsWith('c');
  const name = threadsKey(isChannel ? channelBox(Number(peer.slice(1))) : userBox(userId), peer);
  const threads = (await tx.read.zrange(tx.key(name), '0', String(THREADS_AT_ONCE))) as Thread[];
  for (const thread of threads.slice(0, THREADS_AT_ONCE)) {
    tx.del(mentionsKey(userId, peer, thread), 'z');
    tx.del(pollVotesKey(userId, peer, thread), 'z');
    tx.del(sentKey(userId, peer, thread), 'z');
    if (isChannel) continue;
    tx.del(historyKey(userId, peer, thread), 'z');
    tx.zrem(name, thread);
  }
  return isChannel || threads.length <= THREADS_AT_ONCE;
}

async function leaveGroup(call: CallContext, userId: number, chatId: number): Promise<void> {
  const raw = await call.tx.observe(CHATS, chatId);
  const chat = raw === null ? null : (JSON.parse(raw) as ChatRecord);
  if (!chat?.members.some((member) => member.userId === userId)) return;
  const members = chat.members.filter((member) => member.userId !== userId);
  const version = chat.version + 1;
  call.tx.hset(CHATS, chatId, { ...chat, members, version } satisfies ChatRecord);
  const others = await findUsers(
    call,
    members.map((member) => member.userId),
  );
  for (const other of others) {
    if (other?.accountId) {
      call.tx.update(targetOf(other), { _: 'updateChatParticipantDelete', chatId, userId, version });
    }
  }
}
