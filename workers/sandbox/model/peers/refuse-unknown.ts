import { type CallContext, MessengerError } from '../../../driver.ts';
import { peersOf } from '../boxes/named-peers.ts';
import { resolveChannel, resolveChat, resolveUser } from './resolve-peer.ts';

const NAMED_MAX = 100;

/**
 * Refuses a TL object from the caller that would be stored as it is, if it names peers that the caller may not reach: all its readers would
 * be shown those peers. Errors: `ENTITIES_TOO_LONG` for more than 100 peers, and those of `resolveUser`, `resolveChat` and
 * `resolveChannel`.
 */
export async function refuseUnknownPeers(call: CallContext, given: unknown): Promise<void> {
  const peers = peersOf(given);
  if (peers.length > NAMED_MAX) throw new MessengerError('ENTITIES_TOO_LONG');
  await Promise.all(
    peers.map((peer): Promise<unknown> => {
      if (peer._ === 'peerUser')
        return resolveUser(call, { _: 'inputUser', userId: peer.userId, accessHash: '0' });
      if (peer._ === 'peerChat') return resolveChat(call, peer.chatId);
      return resolveChannel(call, { _: 'inputChannel', channelId: peer.channelId, accessHash: '0' });
    }),
  );
}
