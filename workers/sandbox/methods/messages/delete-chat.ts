import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { type ChatRecord, findChats } from '../../model/chats/chats.ts';
import { changeMembers } from '../../model/chats/group-members.ts';
import { CHATS, invitesKey } from '../../model/chats/keys.ts';
import { forgetDraftsOf } from '../../model/conversations/drafts.ts';
import { endGroupCallsOf } from '../../model/group-calls/forget.ts';
import { toChatId } from '../../model/peers/resolve-peer.ts';

/**
 * Ends a basic group that the account created, even if the account has left it: ends its running call and removes all members. Errors:
 * `CHAT_ID_INVALID`, `CHAT_ADMIN_REQUIRED`.
 */
export const deleteChat = defineMethod('messages.deleteChat', async (params, call) => {
  const self = call.account.userId;
  const [chat] = await findChats(call, [await toChatId(call, params.chatId)]);
  const isKnown = chat?.creatorId === self || chat?.members.some(({ userId }) => userId === self);
  if (!chat || !isKnown) throw new MessengerError('CHAT_ID_INVALID');
  if (chat.creatorId !== self) throw new MessengerError('CHAT_ADMIN_REQUIRED');
  await endGroupCallsOf(call, `g${chat.id}`);
  const drafts = { key: `g${chat.id}`, writes: 2 } as const;
  await Promise.all(chat.members.map(({ userId }) => forgetDraftsOf(call, userId, drafts)));
  const { callActive: _, ...silent } = await changeMembers(call, chat, []);
  call.tx.hset(CHATS, chat.id, { ...silent, ended: true } satisfies ChatRecord);
  if ((await call.tx.read.hlen(call.tx.key(invitesKey(`g${chat.id}`)))) > 0)
    call.tx.del(invitesKey(`g${chat.id}`), 'h');
  return true;
});

export const example: Example<'messages.deleteChat'> = async ({ call, ids }) => {
  const [spare] = ids.spareChatId === undefined ? [] : await findChats(call, [ids.spareChatId]);
  return spare && spare.members.length > 0 ? { chatId: spare.id } : null;
};

export const difference = 'Members keep the messages, as if they had left.';
