import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel, peerUser } from '../../examples/input-peers.ts';
import { readNewestIds, viewDialogs } from '../../model/dialogs/view-dialogs.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { readAccountState } from '../../model/updates/account-state.ts';

type DialogPeer = MethodParams<'messages.getPeerDialogs'>['peers'][number];

const PEERS_MAX = 100;

/** The dialogs with these peers, also with peers without messages, and the state of the account's updates. */
export const getPeerDialogs = defineMethod('messages.getPeerDialogs', async ({ peers }, call) => {
  if (peers.length === 0) throw new MessengerError('INPUT_PEERS_EMPTY');
  const found = await Promise.all(peers.slice(0, PEERS_MAX).map((peer) => findPeer(call, peer)));
  const keys = [...new Set(found.map(({ key }) => key))];
  const [shown, state] = await Promise.all([
    viewDialogs(call, keys, await readNewestIds(call, keys)),
    readAccountState(call),
  ]);
  return { _: 'messages.peerDialogs', ...shown, state };
});

async function findPeer(call: CallContext, input: DialogPeer) {
  if (input._ !== 'inputDialogPeer') throw new MessengerError('PEER_ID_INVALID');
  try {
    return await resolvePeer(call, input.peer, { left: true });
  } catch (error) {
    const isGroup = error instanceof MessengerError && error.error === 'CHAT_ID_INVALID';
    throw isGroup ? new MessengerError('PEER_ID_INVALID') : error;
  }
}

export const example: Example<'messages.getPeerDialogs'> = async (context) => ({
  peers: [
    { _: 'inputDialogPeer', peer: await peerUser(context, 'contactId') },
    { _: 'inputDialogPeer', peer: await peerChannel(context, 'channelId') },
  ],
});

export const difference = 'Only the first 100 count. Unread reactions are not counted.';
