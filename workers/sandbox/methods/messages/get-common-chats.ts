import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputUser } from '../../examples/input-peers.ts';
import { readLimit } from '../../model/common/history-window.ts';
import { listCommonChats } from '../../model/conversations/common-chats.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';
import { resolveUser } from '../../model/peers/resolve-peer.ts';
import type { TlPeer } from '../../model/peers/tl-peer.ts';

/**
 * The groups and supergroups that the account shares with a user, in descending order of their ids, below `maxId` (0: all). Error:
 * `USER_ID_INVALID`.
 */
export const getCommonChats = defineMethod(
  'messages.getCommonChats',
  async ({ userId, maxId, limit }, call) => {
    const user = await resolveUser(call, userId);
    if (user.id === call.account.userId) throw new MessengerError('USER_ID_INVALID');
    const all = (await listCommonChats(call, user.id)).sort((a, b) => idOf(b) - idOf(a));
    const rest = all.filter((peer) => maxId <= 0 || idOf(peer) < maxId);
    const shown = rest.slice(0, readLimit(limit));
    const { chats } = await listMentioned(call, shown);
    const inOrder = chats.toSorted((a, b) => b.id - a.id);
    return shown.length === all.length
      ? { _: 'messages.chats', chats: inOrder }
      : { _: 'messages.chatsSlice', count: all.length, chats: inOrder };
  },
);

function idOf(peer: TlPeer): number {
  if (peer._ === 'peerChat') return peer.chatId;
  return peer._ === 'peerChannel' ? peer.channelId : 0;
}

export const example: Example<'messages.getCommonChats'> = async (context) => ({
  userId: await inputUser(context, 'contactId'),
  maxId: 0,
  limit: 20,
});
