import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser } from '../../examples/input-peers.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';
import { setBlocked } from '../../model/people/blocks.ts';
import { getSelf, targetOf } from '../../model/people/users.ts';

/** Lets a user that was blocked write to the account again. */
export const unblock = defineMethod('contacts.unblock', async ({ id }, call) => {
  const [peer, self] = await Promise.all([resolvePeer(call, id), getSelf(call)]);
  if (peer.kind !== 'user' || peer.id === self.id) throw new MessengerError('CONTACT_ID_INVALID');
  setBlocked(call, peer, false);
  call.tx.update(targetOf(self), { _: 'updatePeerBlocked', peerId: toTlPeer(peer) });
  return true;
});

export const example: Example<'contacts.unblock'> = async (context) => ({
  id: await peerUser(context, 'friendId'),
});
