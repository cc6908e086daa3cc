import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputUser } from '../../examples/input-peers.ts';
import { type ChatRecord, findChats } from '../../model/chats/chats.ts';
import { CHAT_MEMBERS_MAX, changeMembers, requireGroupRight } from '../../model/chats/group-members.ts';
import { leftKey } from '../../model/chats/keys.ts';
import { readLimit } from '../../model/common/history-window.ts';
import { postMessage } from '../../model/messages/post-message.ts';
import { shareHistory } from '../../model/messages/share-history.ts';
import { isMemberOf, resolveUser, toChatId } from '../../model/peers/resolve-peer.ts';
import { findBlocks, refuseBlocked } from '../../model/people/blocks.ts';
import { splitInvitees } from '../../model/privacy/split-invitees.ts';

// The writes for each member: the message, its history entry, dialog and unread count.
const WRITES_OF_MEMBER = 4;
const OTHER_WRITES = 10;

/**
 * Adds a user to a basic group, with a service message, and gives the user copies of the group's last `fwdLimit` messages. A user who does
 * not let the account add it to groups is in `missingInvitees`. An account that has left a group by itself may add itself again. Errors:
 * `USER_ALREADY_PARTICIPANT`, `USERS_TOO_MUCH`, `INPUT_USER_DEACTIVATED`, `USER_IS_BLOCKED`, `YOU_BLOCKED_USER`, `LIMIT_INVALID`.
 */
export const addChatUser = defineMethod('messages.addChatUser', async (params, call) => {
  const { chat, isIn } = await resolveGroup(call, params.chatId);
  const user = await resolveUser(call, params.userId);
  const isReturning = !isIn && user.id === call.account.userId;
  if (!isIn && !isReturning) throw new MessengerError('CHAT_ID_INVALID');
  if (!isReturning) requireGroupRight(call, chat, 'inviteUsers');
  const limit = readLimit(params.fwdLimit);
  if (user.deleted) throw new MessengerError('INPUT_USER_DEACTIVATED');
  if (chat.members.some(({ userId }) => userId === user.id))
    throw new MessengerError('USER_ALREADY_PARTICIPANT');
  if (chat.members.length >= CHAT_MEMBERS_MAX) throw new MessengerError('USERS_TOO_MUCH');
  if (!isReturning) refuseBlocked(await findBlocks(call, user.id));
  const { missingInvitees } = isReturning ? { missingInvitees: [] } : await splitInvitees(call, [user]);
  if (missingInvitees.length > 0) {
    return { _: 'messages.invitedUsers', updates: { _: 'updatesTooLong' }, missingInvitees };
  }
  const newcomer = { userId: user.id, inviterId: call.account.userId, date: call.date };
  const changed = await changeMembers(call, chat, [...chat.members, newcomer]);
  const peer = { kind: 'chat', id: chat.id, key: `g${chat.id}`, chat: changed } as const;
  const reserved = changed.members.length * WRITES_OF_MEMBER + OTHER_WRITES;
  if (!isReturning) await shareHistory(call, peer, user, { limit, reserved });
  const action = { _: 'messageActionChatAddUser' as const, users: [user.id] };
  await postMessage(call, peer, { _: 'messageService', action });
  return { _: 'messages.invitedUsers', updates: { _: 'updatesTooLong' }, missingInvitees: [] };
});

// A group that the account is in, or that it has left by itself: there it may only add itself.
async function resolveGroup(call: CallContext, given: number): Promise<{ chat: ChatRecord; isIn: boolean }> {
  const { tx, account } = call;
  const chatId = await toChatId(call, given);
  const [chat] = await findChats(call, [chatId]);
  const isIn = chat ? isMemberOf(chat, account.userId) : false;
  if (chat && isIn) return { chat, isIn };
  const left = leftKey(account.userId);
  const [hasLeft] = chat && !chat.ended ? await tx.read.smismember(tx.key(left), String(chatId)) : [];
  if (!chat || hasLeft !== 1) throw new MessengerError('CHAT_ID_INVALID');
  // A reset meanwhile forgets that it has left.
  tx.expectMember(left, chatId, true);
  return { chat, isIn };
}

export const example: Example<'messages.addChatUser'> = async (context) => ({
  chatId: context.ids.chatId,
  userId: await inputUser(context, 'contactId'),
  fwdLimit: 10,
});

export const difference = 'Its `updates` are `updatesTooLong`.';
