import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import { findChannels } from '../../model/chats/chats.ts';
import { changeGroup } from '../../model/groups/change-group.ts';
import { resolveChannel } from '../../model/peers/resolve-peer.ts';

/**
 * Gives a supergroup topics, as tabs or not, or takes them away. Errors: `CHAT_ADMIN_REQUIRED` for users who did not create it,
 * `CHANNEL_INVALID` for a channel that is not a supergroup, `CHAT_NOT_MODIFIED`.
 */
export const toggleForum = defineMethod('channels.toggleForum', async (params, call) => {
  const { enabled } = params;
  const peer = await resolveChannel(call, params.channel);
  if (peer.channel.kind !== 'megagroup') throw new MessengerError('CHANNEL_INVALID');
  if (peer.member?.role !== 'creator') throw new MessengerError('CHAT_ADMIN_REQUIRED');
  const { forum, forumTabs = false } = peer.channel;
  const tabs = enabled && params.tabs;
  if (forum === enabled && forumTabs === tabs) throw new MessengerError('CHAT_NOT_MODIFIED');
  return changeGroup(call, peer, { forum: enabled, forumTabs: tabs });
});

export const example: Example<'channels.toggleForum'> = async (context) => {
  const { call, ids } = context;
  const [spare] = ids.spareId === undefined ? [] : await findChannels(call, [ids.spareId]);
  if (!spare || spare.deleted) return null;
  return { channel: await inputChannel(context, 'spareId'), enabled: !spare.forum, tabs: false };
};
