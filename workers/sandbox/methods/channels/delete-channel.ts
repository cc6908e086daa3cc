import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import { findChannels, toForbiddenChannel } from '../../model/chats/chats.ts';
import { toUpdates } from '../../model/messages/posted-updates.ts';
import { resolveChannel } from '../../model/peers/resolve-peer.ts';
import { closeChannel } from '../../reset/close-channel.ts';

/**
 * Deletes a channel or supergroup of the account for everybody, with its messages, its monoforum and its running calls. Errors:
 * `CHAT_ADMIN_REQUIRED` if the account did not create it, `CHANNEL_INVALID` for a monoforum, which is deleted with its channel.
 */
export const deleteChannel = defineMethod('channels.deleteChannel', async (params, call) => {
  const peer = await resolveChannel(call, params.channel);
  if (peer.channel.kind === 'monoforum') throw new MessengerError('CHANNEL_INVALID');
  if (peer.member?.role !== 'creator') throw new MessengerError('CHAT_ADMIN_REQUIRED');
  await closeChannel(call, peer.channel);
  const update = { _: 'updateChannel', channelId: peer.id } as const;
  return toUpdates(call, [update], { chat: toForbiddenChannel(peer.channel) });
});

export const example: Example<'channels.deleteChannel'> = async (context) => {
  const { call, ids } = context;
  const [spare] = ids.spareChannelId === undefined ? [] : await findChannels(call, [ids.spareChannelId]);
  return spare && !spare.deleted ? { channel: await inputChannel(context, 'spareChannelId') } : null;
};
