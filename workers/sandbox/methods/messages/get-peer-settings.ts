import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser } from '../../examples/input-peers.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';
import { findContacts } from '../../model/people/contacts.ts';
import { toPeerSettings } from '../../model/people/peer-settings.ts';

/** What a client offers to do when the user opens a conversation. */
export const getPeerSettings = defineMethod('messages.getPeerSettings', async (params, call) => {
  const peer = await resolvePeer(call, params.peer);
  const [contact = null] = peer.kind === 'user' ? await findContacts(call, [peer.id]) : [];
  return {
    _: 'messages.peerSettings',
    settings: peer.kind === 'user' ? toPeerSettings(call, peer.id, contact) : { _: 'peerSettings' },
    ...(await listMentioned(call, [toTlPeer(peer)])),
  };
});

export const example: Example<'messages.getPeerSettings'> = async (context) => ({
  peer: await peerUser(context, 'contactId'),
});
