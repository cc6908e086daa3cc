import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import type { ChannelPeer, Peer } from './peer.ts';
import { resolvePeer } from './resolve-peer.ts';

/** The forum an `InputPeer` names. Errors: `PEER_ID_INVALID` if it is not a channel, `CHANNEL_FORUM_MISSING` if it has no topics. */
export async function resolveForum(
  call: CallContext,
  input: MethodParams<'messages.getForumTopics'>['peer'],
): Promise<ChannelPeer> {
  return requireForum(await resolvePeer(call, input));
}

/** Returns a resolved peer as a forum. */
export function requireForum(peer: Peer): ChannelPeer {
  if (peer.kind !== 'channel') throw new MessengerError('PEER_ID_INVALID');
  if (!peer.channel.forum) throw new MessengerError('CHANNEL_FORUM_MISSING');
  return peer;
}
