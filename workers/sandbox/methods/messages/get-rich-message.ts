import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { SELF } from '../../examples/input-peers.ts';
import { toMessageList } from '../../model/messages/message-list.ts';
import { viewMessages } from '../../model/messages/read-messages.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { peerKeyOf, toTlPeer } from '../../model/peers/tl-peer.ts';

/** A message of a conversation with all of its rich content; a `messageEmpty` if it does not exist. */
export const getRichMessage = defineMethod('messages.getRichMessage', async ({ peer: input, id }, call) => {
  const peer = await resolvePeer(call, input);
  const [message] = await viewMessages(call, peer, [id]);
  const isInChat = message && peerKeyOf(message.peerId) === peer.key;
  return toMessageList(call, [isInChat ? message : { _: 'messageEmpty', id, peerId: toTlPeer(peer) }]);
});

export const example: Example<'messages.getRichMessage'> = () => ({ peer: SELF, id: 1 });

export const difference = 'Always answers `messages.messages`; an absent id is a `messageEmpty`.';
