import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { toTlChat } from '../../model/chats/chats.ts';
import { toParticipants } from '../../model/chats/group-members.ts';
import { NOTIFY_SETTINGS } from '../../model/conversations/notify-settings.ts';
import { resolveChat } from '../../model/peers/resolve-peer.ts';
import { viewUsers } from '../../model/people/view-users.ts';

/** Everything about a basic group, its members included. Errors: `CHAT_ID_INVALID`. */
export const getFullChat = defineMethod('messages.getFullChat', async ({ chatId }, call) => {
  const chat = await resolveChat(call, chatId);
  const self = call.account.userId;
  const users = await viewUsers(
    call,
    chat.members.map(({ userId }) => userId),
  );
  return {
    _: 'messages.chatFull',
    fullChat: {
      _: 'chatFull',
      id: chat.id,
      about: '',
      participants: toParticipants(chat),
      notifySettings: NOTIFY_SETTINGS,
    },
    chats: [toTlChat(chat, self)],
    users,
  };
});

export const example: Example<'messages.getFullChat'> = ({ ids }) => ({ chatId: ids.chatId });
