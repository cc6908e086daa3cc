import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { SELF } from '../../examples/input-peers.ts';
import { findMessages } from '../../model/boxes/messages.ts';
import { isShownIn } from '../../model/messages/get-message.ts';
import { toMessageList } from '../../model/messages/message-list.ts';
import { viewMessages } from '../../model/messages/read-messages.ts';
import { boxOf } from '../../model/peers/peer.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';

/** A message of a conversation with all of its rich content; a `messageEmpty` if there is none that the account sees. */
export const getRichMessage = defineMethod('messages.getRichMessage', async ({ peer: input, id }, call) => {
  const peer = await resolvePeer(call, input, { left: true });
  const [[found], [message]] = await Promise.all([
    findMessages(call, boxOf(call, peer), [id]),
    viewMessages(call, peer, [id]),
  ]);
  const isShown = found && message && isShownIn(call, peer, found);
  return toMessageList(call, [isShown ? message : { _: 'messageEmpty', id, peerId: toTlPeer(peer) }]);
});

export const example: Example<'messages.getRichMessage'> = () => ({ peer: SELF, id: 1 });

export const difference = 'Always answers `messages.messages`; an absent id is a `messageEmpty`.';
