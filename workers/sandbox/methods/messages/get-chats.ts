import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { findChats, toTlChat } from '../../model/chats/chats.ts';
import { dialogsKey } from '../../model/conversations/keys.ts';
import { toChatId } from '../../model/peers/resolve-peer.ts';

const IDS_MAX = 100;

/** The basic groups of these ids. The account must be a member or have a dialog with the group. Error: `CHAT_ID_INVALID`. */
export const getChats = defineMethod('messages.getChats', async ({ id: asked }, call) => {
  const self = call.account.userId;
  const ids = await Promise.all(asked.slice(0, IDS_MAX).map((id) => toChatId(call, id)));
  if (ids.length === 0) return { _: 'messages.chats', chats: [] };
  const [found, dates] = await Promise.all([
    findChats(call, ids),
    call.tx.read.zmscore(call.tx.key(dialogsKey(self)), ...ids.map((id) => `g${id}`)),
  ]);
  const chats = found.map((chat, i) => {
    const isIn = chat?.members.some(({ userId }) => userId === self);
    if (!chat || !(isIn || dates[i] !== null)) throw new MessengerError('CHAT_ID_INVALID');
    return toTlChat(chat, self);
  });
  return { _: 'messages.chats', chats };
});

export const example: Example<'messages.getChats'> = ({ ids }) => ({ id: [ids.chatId] });

export const difference = 'Only the first 100 count.';
