import { defineMethod, MessengerError } from '../../driver.ts';
import { toTlChat } from '../model/chats.ts';
import { changeMembers } from '../model/group-members.ts';
import { resolveChat, resolveUser } from '../model/peers.ts';
import { postMessage } from '../model/post-message.ts';
import { toPostedUpdates } from '../model/posted-updates.ts';

/**
 * Takes a user out of a basic group, or leaves it, and says so in it. The creator may take out anybody, a member only whom it
 * added. Errors: `USER_NOT_PARTICIPANT`, `CHAT_ADMIN_REQUIRED`.
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
  // Who leaves hears of it as the last thing from the group.
  const peer = { kind: 'chat', id: chat.id, key: `g${chat.id}`, chat } as const;
  const action = { _: 'messageActionChatDeleteUser', userId: user.id } as const;
  const posted = await postMessage(call, peer, { _: 'messageService', action });
  const changed = await changeMembers(
    call,
    chat,
    chat.members.filter((other) => other !== member),
  );
  return toPostedUpdates(call, peer, posted, { chat: toTlChat(changed, self), others: [user.id] });
});
