import type { CallContext } from '../../driver.ts';
import { historyKey } from '../model/boxes/keys.ts';
import type { ChatRecord } from '../model/chats/chats.ts';
import { withoutRemoved } from '../model/chats/group-members.ts';
import { CHATS, formerKey, invitesKey } from '../model/chats/keys.ts';
import type { PeerKey } from '../model/common/keys.ts';
import { someMembers } from '../model/common/scan-some.ts';
import { forgetConversation } from '../model/conversations/forgetting/forget.ts';
import { dialogsKey, emptiedKey } from '../model/conversations/keys.ts';
import { forgetCallsOf } from '../model/group-calls/forget.ts';
import { leaveCallsOf } from '../model/group-calls/leave-call.ts';
import { forgetGroupMessages } from '../model/messages/forget.ts';
import { findUsers, targetOf } from '../model/people/users.ts';
import type { Leaver } from './leaver.ts';

// The most writes that one conversation takes.
const WRITES_NEEDED = 250;
const DIALOGS_AT_ONCE = 50;
const FORMER_SCANNED = 200;

/**
 * Removes a user's data of its conversations, and the user from its basic groups unless it stays a member, including `chatIds` and those of
 * which it has deleted all messages. False if there is more than fits a commit.
 */
export async function leaveConversations(
  call: CallContext,
  leaver: Leaver,
  chatIds: readonly number[],
): Promise<boolean> {
  const { tx } = call;
  const { userId } = leaver;
  const [dialogs, emptiedIds, emptiedCount] = await Promise.all([
    tx.read.zrange(tx.key(dialogsKey(userId)), '0', String(DIALOGS_AT_ONCE)),
    someMembers(call, emptiedKey(userId), DIALOGS_AT_ONCE),
    tx.read.scard(tx.key(emptiedKey(userId))),
  ]);
  const peers = new Set([
    ...dialogs.slice(0, DIALOGS_AT_ONCE),
    ...[...emptiedIds, ...chatIds].map((id) => `g${id}`),
  ] as PeerKey[]);
  for (const peer of peers) {
    if (tx.writesLeft < WRITES_NEEDED) return false;
    if (peer.startsWith('g') && !(await leaveGroup(call, leaver, Number(peer.slice(1))))) return false;
    if (!(await forgetConversation(call, userId, peer))) return false;
    if (emptiedIds.includes(peer.slice(1))) tx.srem(emptiedKey(userId), peer.slice(1));
  }
  return dialogs.length <= DIALOGS_AT_ONCE && emptiedCount <= emptiedIds.length;
}

// A group ends when no account is in it or has messages of it.
async function leaveGroup(
  call: CallContext,
  { userId, staysMember }: Leaver,
  chatId: number,
): Promise<boolean> {
  const raw = await call.tx.observe(CHATS, chatId);
  const chat = raw === null ? null : (JSON.parse(raw) as ChatRecord);
  if (!chat) return true;
  const isIn = chat.members.some((member) => member.userId === userId);
  const members = chat.members.filter((member) => member.userId !== userId);
  const others = await findUsers(
    call,
    members.map((member) => member.userId),
  );
  const accounts = others.filter((other) => other !== null && other.accountId !== null);
  if (accounts.length === 0 && !(await expectReader(call, chatId, userId))) {
    if (!(await forgetGroupMessages(call, userId, `g${chatId}`))) return false;
    if (!(await forgetCallsOf(call, `g${chatId}`))) return false;
    call.tx.hdel(CHATS, chatId);
    call.tx.del(invitesKey(`g${chatId}`), 'h');
    call.tx.del(formerKey(chatId), 's');
    return true;
  }
  call.tx.srem(formerKey(chatId), userId);
  const left = withoutRemoved(chat, userId);
  if (left !== chat) call.tx.hset(CHATS, chatId, left);
  if (!isIn) return true;
  if (!staysMember) {
    const version = chat.version + 1;
    call.tx.hset(CHATS, chatId, { ...left, members, version } satisfies ChatRecord);
    const update = { _: 'updateChatParticipantDelete', chatId, userId, version } as const;
    for (const other of accounts) if (other) call.tx.update(targetOf(other), update);
  }
  // Many are notified of a call: another commit has room for what is next.
  return !(await leaveCallsOf(call, `g${chatId}`, userId));
}

// Whether another account that has left the group keeps messages of it. If that one is reset meanwhile, it leaves the group to this one.
async function expectReader(call: CallContext, chatId: number, userId: number): Promise<boolean> {
  const { read } = call.tx;
  const [, former] = await read.sscan(call.tx.key(formerKey(chatId)), 0, 'COUNT', FORMER_SCANNED);
  const others = former.slice(0, FORMER_SCANNED).map(Number);
  const users = await findUsers(
    call,
    others.filter((id) => id !== userId),
  );
  const accounts = users.filter((user) => user !== null && user.accountId !== null);
  const histories = accounts.map((user) => call.tx.key(historyKey(user?.id ?? 0, `g${chatId}`)));
  const isKept = await Promise.all(histories.map((history) => read.exists(history)));
  const reader = accounts.find((_, i) => isKept[i] === 1);
  if (!reader) return false;
  call.tx.expectMember(formerKey(chatId), reader.id, true);
  return true;
}
