import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser } from '../../examples/input-peers.ts';
import { userBox } from '../../model/common/keys.ts';
import { leaveCallsOf } from '../../model/group-calls/leave-call.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';
import { setBlocked } from '../../model/people/blocks.ts';
import { getSelf, targetOf } from '../../model/people/users.ts';

/** Keeps a user from writing to the account, from adding it to groups, and from its live story. */
export const block = defineMethod('contacts.block', async ({ id }, call) => {
  const [peer, self] = await Promise.all([resolvePeer(call, id), getSelf(call)]);
  if (peer.kind !== 'user' || peer.id === self.id) throw new MessengerError('CONTACT_ID_INVALID');
  if (peer.user.deleted) throw new MessengerError('INPUT_USER_DEACTIVATED');
  await leaveCallsOf(call, userBox(self.id), peer.id);
  setBlocked(call, peer, true);
  call.tx.update(targetOf(self), { _: 'updatePeerBlocked', peerId: toTlPeer(peer), blocked: true });
  return true;
});

export const example: Example<'contacts.block'> = async (context) => ({
  id: await peerUser(context, 'friendId'),
});

export const difference = 'Stories have no blocklist of their own.';
