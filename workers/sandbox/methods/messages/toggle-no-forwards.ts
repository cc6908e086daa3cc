import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import { changeGroup } from '../../model/groups/change-group.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';

/**
 * Protects the messages of a group or channel from being forwarded, or ends the protection. Errors: `CHAT_ADMIN_REQUIRED`,
 * `CHAT_NOT_MODIFIED`, `PEER_ID_INVALID` for a private chat.
 */
export const toggleNoForwards = defineMethod(
  'messages.toggleNoForwards',
  async ({ peer: input, enabled }, call) => {
    const peer = await resolvePeer(call, input);
    if (peer.kind === 'user') throw new MessengerError('PEER_ID_INVALID');
    const isOwner =
      peer.kind === 'chat' ? peer.chat.creatorId === call.account.userId : peer.member?.role === 'creator';
    if (!isOwner) throw new MessengerError('CHAT_ADMIN_REQUIRED');
    const { noforwards } = peer.kind === 'chat' ? peer.chat : peer.channel;
    if (noforwards === enabled) throw new MessengerError('CHAT_NOT_MODIFIED');
    return changeGroup(call, peer, { noforwards: enabled });
  },
);

export const example: Example<'messages.toggleNoForwards'> = async (context) => ({
  peer: await peerChannel(context, 'channelId'),
  enabled: true,
});
