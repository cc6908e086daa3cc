import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import type { ChannelPeer, Peer } from './peer.ts';
import { resolvePeer } from './resolve-peer.ts';

/** The forum an `InputPeer` names. Errors: `PEER_ID_INVALID` for no channel, `CHANNEL_FORUM_MISSING` for one without topics. */
export async function resolveForum(
  call: CallContext,
  input: MethodParams<'messages.getForumTopics'>['peer'],
): Promise<ChannelPeer> {
  return refuseNoForum(await resolvePeer(call, input));
}

/** Returns a resolved peer as a forum. */
export function refuseNoForum(peer: Peer): ChannelPeer {
  if (peer.kind !== 'channel') throw new MessengerError('PEER_ID_INVALID');
  if (!peer.channel.forum) throw new MessengerError('CHANNEL_FORUM_MISSING');
  return peer;
}
