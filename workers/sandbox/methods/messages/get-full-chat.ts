import { type CallContext, defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peersOf } from '../../model/boxes/named-peers.ts';
import { type ChatRecord, toTlChat } from '../../model/chats/chats.ts';
import { toParticipants } from '../../model/chats/group-members.ts';
import { findPermanentInvite, toTlInvite } from '../../model/chats/invites.ts';
import { viewFolder } from '../../model/conversations/archive.ts';
import { pinnedKey } from '../../model/conversations/keys.ts';
import { NOTIFY_SETTINGS } from '../../model/conversations/notify-settings.ts';
import { readTopIds } from '../../model/conversations/top-messages.ts';
import { findCallOf } from '../../model/group-calls/find-call.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';
import { resolveChat } from '../../model/peers/resolve-peer.ts';
import { viewHasScheduled } from '../../model/scheduled/scheduled-messages.ts';

/**
 * Everything about a basic group, including its members, its running call and, for its creator, the permanent invite link. Errors:
 * `CHAT_ID_INVALID`.
 */
export const getFullChat = defineMethod('messages.getFullChat', async ({ chatId }, call) => {
  const chat = await resolveChat(call, chatId);
  const self = call.account.userId;
  const participants = toParticipants(chat);
  const memberIds = new Set(chat.members.map(({ userId }) => userId));
  const [{ users }, [pinned], groupCall, invite, scheduled, folder] = await Promise.all([
    // Also those who have added members, and have left.
    listMentioned(call, peersOf(participants.participants)),
    readTopIds(call, [pinnedKey(self, `g${chat.id}`)]),
    chat.callActive ? findCallOf(call, { kind: 'chat', id: chat.id }) : null,
    viewOwnInvite(call, chat),
    viewHasScheduled(call, `g${chat.id}`),
    viewFolder(call, `g${chat.id}`),
  ]);
  const bots = users.filter((user) => user._ === 'user' && user.bot && memberIds.has(user.id));
  return {
    _: 'messages.chatFull',
    fullChat: {
      _: 'chatFull',
      ...scheduled,
      ...folder,
      id: chat.id,
      about: chat.about ?? '',
      participants,
      notifySettings: NOTIFY_SETTINGS,
      availableReactions: { _: 'chatReactionsAll' },
      ...(bots.length > 0 ? { botInfo: bots.map(({ id }) => ({ _: 'botInfo' as const, userId: id })) } : {}),
      ...(pinned ? { pinnedMsgId: pinned } : {}),
      ...(groupCall ? { call: groupCall } : {}),
      ...(invite ? { exportedInvite: toTlInvite(invite) } : {}),
    },
    chats: [toTlChat(chat, self)],
    users,
  };
});

async function viewOwnInvite(call: CallContext, { id, creatorId }: ChatRecord) {
  return creatorId === call.account.userId ? findPermanentInvite(call, `g${id}`) : null;
}

export const example: Example<'messages.getFullChat'> = ({ ids }) => ({ chatId: ids.chatId });
