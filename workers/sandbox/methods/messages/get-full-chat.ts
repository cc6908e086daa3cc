import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { toTlChat } from '../../model/chats/chats.ts';
import { toParticipants } from '../../model/chats/group-members.ts';
import { pinnedKey } from '../../model/conversations/keys.ts';
import { NOTIFY_SETTINGS } from '../../model/conversations/notify-settings.ts';
import { readTopIds } from '../../model/conversations/top-messages.ts';
import { resolveChat } from '../../model/peers/resolve-peer.ts';
import { viewUsers } from '../../model/people/view-users.ts';

/** Everything about a basic group, including its members. Errors: `CHAT_ID_INVALID`. */
export const getFullChat = defineMethod('messages.getFullChat', async ({ chatId }, call) => {
  const chat = await resolveChat(call, chatId);
  const self = call.account.userId;
  const [users, [pinned]] = await Promise.all([
    viewUsers(
      call,
      chat.members.map(({ userId }) => userId),
    ),
    readTopIds(call, [pinnedKey(self, `g${chat.id}`)]),
  ]);
  return {
    _: 'messages.chatFull',
    fullChat: {
      _: 'chatFull',
      id: chat.id,
      about: chat.about ?? '',
      participants: toParticipants(chat),
      notifySettings: NOTIFY_SETTINGS,
      ...(pinned ? { pinnedMsgId: pinned } : {}),
    },
    chats: [toTlChat(chat, self)],
    users,
  };
});

export const example: Example<'messages.getFullChat'> = ({ ids }) => ({ chatId: ids.chatId });
