import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import { findChannels, toTlChannel } from '../../model/chats/chats.ts';
import { CHANNELS } from '../../model/chats/keys.ts';
import { notifyChannel } from '../../model/chats/notify-channel.ts';
import { toUpdates } from '../../model/messages/posted-updates.ts';
import { resolveChannel } from '../../model/peers/resolve-peer.ts';

/**
 * Gives a supergroup topics, or takes them away. Errors: `CHAT_ADMIN_REQUIRED` for users who did not create it, `CHANNEL_INVALID` for what
 * is no supergroup, `CHAT_NOT_MODIFIED`.
 */
export const toggleForum = defineMethod('channels.toggleForum', async ({ channel: input, enabled }, call) => {
  const { id, channel, member } = await resolveChannel(call, input);
  if (channel.kind !== 'megagroup') throw new MessengerError('CHANNEL_INVALID');
  if (member?.role !== 'creator') throw new MessengerError('CHAT_ADMIN_REQUIRED');
  if (channel.forum === enabled) throw new MessengerError('CHAT_NOT_MODIFIED');
  const changed = { ...channel, forum: enabled };
  call.tx.expectField(CHANNELS, id, JSON.stringify(channel));
  call.tx.hset(CHANNELS, id, changed);
  const update = { _: 'updateChannel', channelId: id } as const;
  await notifyChannel(call, id, update);
  return toUpdates(call, [update], { chat: toTlChannel(changed, call.account.userId, member) });
});

export const example: Example<'channels.toggleForum'> = async (exemplar) => {
  const { call, ids } = exemplar;
  const [spare] = ids.spareId === undefined ? [] : await findChannels(call, [ids.spareId]);
  if (!spare || spare.deleted) return null;
  return { channel: await inputChannel(exemplar, 'spareId'), enabled: !spare.forum, tabs: false };
};
