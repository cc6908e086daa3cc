import type { CallContext } from '../../../driver.ts';
import { findChats, type TlChat, toTlChat } from '../chats/chats.ts';
import { viewChannels } from '../chats/view-channels.ts';
import { type TlUser, viewUsers } from '../people/view-users.ts';
import type { TlPeer } from './tl-peer.ts';

/** The users and chats that a list of messages mentions, which TL results contain in addition to the list. */
export interface Mentioned {
  users: TlUser[];
  chats: TlChat[];
}

/** The users and chats of these peers, each once. */
export async function listMentioned(call: CallContext, peers: TlPeer[]): Promise<Mentioned> {
  const viewer = call.account.userId;
  const ids = (pick: (peer: TlPeer) => number | null) => [
    ...new Set(peers.map(pick).filter((id): id is number => id !== null)),
  ];
  const userIds = ids((peer) => (peer._ === 'peerUser' ? peer.userId : null));
  const chatIds = ids((peer) => (peer._ === 'peerChat' ? peer.chatId : null));
  const channelIds = ids((peer) => (peer._ === 'peerChannel' ? peer.channelId : null));
  const [users, chats, channels] = await Promise.all([
    viewUsers(call, userIds),
    findChats(call, chatIds),
    viewChannels(call, channelIds),
  ]);
  return {
    users,
    chats: [
      ...chats.map(
        (chat, i): TlChat => (chat ? toTlChat(chat, viewer) : { _: 'chatEmpty', id: chatIds[i] as number }),
      ),
      ...channels,
    ],
  };
}
