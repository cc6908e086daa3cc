import { type CallContext, MessengerError } from '../../../driver.ts';
import { findMessages } from '../boxes/messages.ts';
import { peersOf } from '../boxes/named-peers.ts';
import type { Peer } from './peer.ts';
import { boxOf } from './peer.ts';

/**
 * Throws `error` unless the message of this id in a conversation names the peer: a strict account may call a peer it has no access
 * hash of only by a message it has seen it in. Errors: also `MSG_ID_INVALID`.
 */
export async function refuseUnnamed(
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
