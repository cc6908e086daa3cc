import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { isAdmin } from '../chats/channel-members.ts';
import { type PeerKey, userBox } from '../common/keys.ts';
import type { ChannelPeer, Peer } from '../peers/peer.ts';
import { resolvePeer } from '../peers/resolve-peer.ts';
import { keyOfInput } from '../peers/tl-peer.ts';
import { threadsKey } from './keys.ts';

type InputPeer = MethodParams<'messages.getSavedHistory'>['peer'];

/** A conversation whose threads are peers: the own chat, by the origin of saved messages, or a monoforum. */
export async function resolveParent(call: CallContext, parent: InputPeer | undefined): Promise<Peer> {
  if (!parent) return resolvePeer(call, { _: 'inputPeerSelf' });
  const peer = await resolvePeer(call, parent);
  if (peer.kind !== 'channel' || peer.channel.kind !== 'monoforum') {
    throw new MessengerError('PARENT_PEER_INVALID');
  }
  return peer;
}

/** Throws `CHAT_ADMIN_REQUIRED` if the calling account only writes to a monoforum, and does not administer it. */
export function requireMonoforumAdmin(peer: ChannelPeer): void {
  if (!isAdmin(peer.member)) throw new MessengerError('CHAT_ADMIN_REQUIRED');
}

/**
 * The thread of messages saved from a peer, or of a user's thread with a monoforum. Saved messages stay there after the account has left the
 * peer. Errors: `PEER_ID_INVALID` (also for another user's thread).
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
