import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputUser } from '../../examples/input-peers.ts';
import { historyKey } from '../../model/boxes/keys.ts';
import { findMessages } from '../../model/boxes/messages.ts';
import { toTlChat } from '../../model/chats/chats.ts';
import { changeMembers } from '../../model/chats/group-members.ts';
import { type PeerKey, userBox } from '../../model/common/keys.ts';
import { dialogsKey } from '../../model/conversations/keys.ts';
import { leaveCallsOf } from '../../model/group-calls/leave-call.ts';
import { postMessage } from '../../model/messages/post-message.ts';
import { toPostedUpdates } from '../../model/messages/posted-updates.ts';
import { removeCopies } from '../../model/messages/remove-copies.ts';
import { resolveChat, resolveUser } from '../../model/peers/resolve-peer.ts';
import { notifyOfDeletion } from '../../model/people/account-events.ts';
import { findUser } from '../../model/people/users.ts';

const REVOKED_MAX = 100;
const WRITES_EACH = 3;
const OTHER_WRITES = 20;

/**
 * Removes a user from a basic group, or leaves it, with a service message. The creator may remove anybody, a member only users whom it
 * added. With `revokeHistory`, the user loses its newest 100 messages of the group. Errors: `USER_NOT_PARTICIPANT`, `CHAT_ADMIN_REQUIRED`.
 */
export const deleteChatUser = defineMethod('messages.deleteChatUser', async (params, call) => {
  const [chat, user] = await Promise.all([
    resolveChat(call, params.chatId),
    resolveUser(call, params.userId),
  ]);
  const self = call.account.userId;
  const member = chat.members.find(({ userId }) => userId === user.id);
  if (!member) throw new MessengerError('USER_NOT_PARTICIPANT');
  const mayRemove = user.id === self || chat.creatorId === self || member.inviterId === self;
  if (!mayRemove || (user.id === chat.creatorId && user.id !== self)) {
    throw new MessengerError('CHAT_ADMIN_REQUIRED');
  }
  // For the user who leaves, this is the last message from the group.
  const peer = { kind: 'chat', id: chat.id, key: `g${chat.id}`, chat } as const;
  const action = { _: 'messageActionChatDeleteUser', userId: user.id } as const;
  const posted = await postMessage(call, peer, { _: 'messageService', action });
  const changed = await changeMembers(
    call,
    chat,
    chat.members.filter((other) => other !== member),
  );
  await leaveCallsOf(call, peer.key, user.id);
  if (params.revokeHistory) await forgetHistory(call, peer.key, user.id);
  return toPostedUpdates(call, peer, posted, { chat: toTlChat(changed, self), others: [user.id] });
});

async function forgetHistory(call: CallContext, key: PeerKey, userId: number): Promise<void> {
  const { tx } = call;
  const name = tx.key(historyKey(userId, key));
  const count = Math.min(REVOKED_MAX, Math.floor((tx.writesLeft - OTHER_WRITES) / WRITES_EACH));
  if (count <= 0) return;
  const ids = await tx.read.zrevrange(name, 0, count - 1);
  const found = (await findMessages(call, userBox(userId), ids)).filter((one) => one !== null);
  if (found.length === 0) return;
  await removeCopies(call, userId, found);
  // The message about its removal stays.
  tx.zadd(dialogsKey(userId), call.date, key);
  const user = await findUser(call, userId);
  if (user) notifyOfDeletion(call, user, found);
}

export const example: Example<'messages.deleteChatUser'> = async (context) => ({
  chatId: context.ids.chatId,
  userId: await inputUser(context, 'friendId'),
});
