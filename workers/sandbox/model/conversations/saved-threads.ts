import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { isAdmin } from '../chats/channel-members.ts';
import { type PeerKey, userBox } from '../common/keys.ts';
import type { ChannelPeer, Peer } from '../peers/peer.ts';
import { resolvePeer } from '../peers/resolve-peer.ts';
import { keyOfInput } from '../peers/tl-peer.ts';
import { threadsKey } from './keys.ts';

type InputPeer = MethodParams<'messages.getSavedHistory'>['peer'];

/**
 * A conversation whose threads are peers: without `parent` the account's own chat, with a thread for each peer that messages were saved from,
 * else a monoforum. Errors: `PARENT_PEER_INVALID` for any other conversation, and those of `resolvePeer`.
 */
export async function resolveParent(call: CallContext, parent: InputPeer | undefined): Promise<Peer> {
  if (!parent) return resolvePeer(call, { _: 'inputPeerSelf' });
  const peer = await resolvePeer(call, parent);
  if (peer.kind !== 'channel' || peer.channel.kind !== 'monoforum') {
    throw new MessengerError('PARENT_PEER_INVALID');
  }
  return peer;
}

/** Throws `CHAT_ADMIN_REQUIRED` unless the calling account administers the monoforum. */
export function requireMonoforumAdmin(peer: ChannelPeer): void {
  if (!isAdmin(peer.member)) throw new MessengerError('CHAT_ADMIN_REQUIRED');
}

/**
 * The thread of a parent for a peer: of messages saved from the peer, or of a user's messages with a monoforum. A thread of saved messages
 * stays after the account has left the peer. Error: `PEER_ID_INVALID`, also for another user's thread with a monoforum.
 */
export async function resolveSavedPeer(call: CallContext, parent: Peer, input: InputPeer): Promise<PeerKey> {
  const self = userBox(call.account.userId);
  try {
    const { key } = await resolvePeer(call, input);
    const isForeign = parent.kind === 'channel' && !isAdmin(parent.member) && key !== self;
    if (isForeign) throw new MessengerError('PEER_ID_INVALID');
    return key;
  } catch (error) {
    if (!(error instanceof MessengerError)) throw error;
    const key = keyOfInput(input);
    const name = call.tx.key(threadsKey(self, self));
    const isSaved = key !== null && parent.kind === 'user' && (await call.tx.read.zscore(name, key)) !== null;
    if (!isSaved) throw new MessengerError('PEER_ID_INVALID');
    return key;
  }
}
