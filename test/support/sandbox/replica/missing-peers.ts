import { peersOf } from '../../../../workers/sandbox/model/boxes/named-peers.ts';

/** The users and chats that come with something. */
export interface Beside {
  users: readonly { id: number }[];
  chats: readonly { id: number }[];
}

/** What an update or a result names without having it beside it. */
export function listMissingPeers(value: object, { users, chats }: Beside): string[] {
  return peersOf(value).flatMap((peer) => {
    const isThere =
      peer._ === 'peerUser'
        ? users.some(({ id }) => id === peer.userId)
        : chats.some(({ id }) => id === (peer._ === 'peerChat' ? peer.chatId : peer.channelId));
    return isThere ? [] : [`${JSON.stringify(peer)} is not beside ${JSON.stringify(value)}`];
  });
}
