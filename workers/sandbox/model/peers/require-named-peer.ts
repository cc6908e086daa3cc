import { type CallContext, MessengerError } from '../../../driver.ts';
import { findMessages } from '../boxes/messages.ts';
import { peersOf } from '../boxes/named-peers.ts';
import type { Peer } from './peer.ts';
import { boxOf } from './peer.ts';

/**
 * Throws `error` unless the message with this id names the peer: without a peer's access hash, a strict account may refer to it only by a
 * message that mentions it. Also throws `MSG_ID_INVALID`.
 */
export async function requireNamedPeer(
  call: CallContext,
  source: Peer,
  msgId: number,
  { kind, id, error }: { kind: 'user' | 'channel'; id: number; error: string },
): Promise<void> {
  const [found] = await findMessages(call, boxOf(call, source), [msgId]);
  if (!found) throw new MessengerError('MSG_ID_INVALID');
  const isNamed = peersOf(found.message).some((peer) =>
    peer._ === 'peerUser' ? kind === 'user' && peer.userId === id : isChannel(peer, kind, id),
  );
  if (!isNamed) throw new MessengerError(error);
}

function isChannel(peer: { _: string; channelId?: number }, kind: string, id: number): boolean {
  return kind === 'channel' && peer._ === 'peerChannel' && peer.channelId === id;
}
