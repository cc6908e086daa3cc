import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser } from '../../examples/input-peers.ts';
import { setMarked } from '../../model/conversations/unread-state.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';
import { notifyOwnSessions } from '../../model/people/users.ts';

/** Marks a dialog as unread, or removes the mark. Errors: `PEER_ID_INVALID` (also for threads of a monoforum). */
export const markDialogUnread = defineMethod('messages.markDialogUnread', async (params, call) => {
  if (params.peer._ !== 'inputDialogPeer' || params.parentPeer) throw new MessengerError('PEER_ID_INVALID');
  const peer = await resolvePeer(call, params.peer.peer, { left: true });
  const unread = params.unread === true;
  setMarked(call, peer.key, unread);
  notifyOwnSessions(call, {
    _: 'updateDialogUnreadMark',
    ...(unread ? { unread } : {}),
    peer: { _: 'dialogPeer', peer: toTlPeer(peer) },
  });
  return true;
});

export const example: Example<'messages.markDialogUnread'> = async (context) => ({
  peer: { _: 'inputDialogPeer', peer: await peerUser(context, 'contactId') },
  unread: true,
});
