import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { toTlChat } from '../../model/chats/chats.ts';
import { requireGroupRight } from '../../model/chats/group-members.ts';
import { CHATS } from '../../model/chats/keys.ts';
import { readTitle } from '../../model/chats/title.ts';
import { postMessage } from '../../model/messages/post-message.ts';
import { toPostedUpdates } from '../../model/messages/posted-updates.ts';
import { resolveChat } from '../../model/peers/resolve-peer.ts';

/**
 * Renames a basic group, with a service message. Every member may do so unless the group forbids it. Errors: `CHAT_ADMIN_REQUIRED`,
 * `CHAT_TITLE_EMPTY`, `CHAT_NOT_MODIFIED`.
 */
export const editChatTitle = defineMethod('messages.editChatTitle', async (params, call) => {
  const before = await resolveChat(call, params.chatId);
  requireGroupRight(call, before, 'changeInfo');
  const title = readTitle(params.title);
  if (title === before.title) throw new MessengerError('CHAT_NOT_MODIFIED');
  const chat = { ...before, title };
  call.tx.expectField(CHATS, chat.id, JSON.stringify(before));
  call.tx.hset(CHATS, chat.id, chat);
  const peer = { kind: 'chat', id: chat.id, key: `g${chat.id}`, chat } as const;
  const action = { _: 'messageActionChatEditTitle', title } as const;
  const posted = await postMessage(call, peer, { _: 'messageService', action });
  return toPostedUpdates(call, peer, posted, { chat: toTlChat(chat, call.account.userId) });
});

export const example: Example<'messages.editChatTitle'> = ({ ids }) => ({
  chatId: ids.chatId,
  title: 'Newer group',
});
