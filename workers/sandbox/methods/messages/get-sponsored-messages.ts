import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import { getMessage } from '../../model/messages/get-message.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';
import { findSponsored } from '../../model/sponsored/sponsored.ts';

/**
 * The sponsored messages of a channel or bot, and the distance at which to show them; an empty list if it has none. Errors:
 * `PEER_ID_INVALID` for peers that cannot have any, such as the account's own chat, `MSG_ID_INVALID` for an unknown message.
 */
export const getSponsoredMessages = defineMethod('messages.getSponsoredMessages', async (params, call) => {
  const { msgId } = params;
  const peer = await resolvePeer(call, params.peer, { empty: 'channel' });
  const canHave = peer.kind === 'channel' || (peer.kind === 'user' && peer.user.bot);
  const isOwn = peer.kind === 'user' && peer.id === call.account.userId;
  if (!canHave || isOwn) throw new MessengerError('PEER_ID_INVALID');
  if (msgId !== undefined) await getMessage(call, peer, msgId, 'MSG_ID_INVALID');
  const [{ messages, ...spacing }, mentioned] = await Promise.all([
    findSponsored(call, peer.key),
    listMentioned(call, [toTlPeer(peer)]),
  ]);
  return { _: 'messages.sponsoredMessages', ...spacing, messages, ...mentioned };
});

export const example: Example<'messages.getSponsoredMessages'> = async (context) => ({
  peer: await peerChannel(context, 'channelId'),
});

export const difference = 'Shows what the management API has set.';
