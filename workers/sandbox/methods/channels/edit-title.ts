import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import { expectOwnMember, observeMemberIds } from '../../model/chats/channel-members.ts';
import { CHANNELS } from '../../model/chats/keys.ts';
import { isAllowed } from '../../model/chats/rights.ts';
import { readTitle } from '../../model/chats/title.ts';
import { announce } from '../../model/messages/announce.ts';
import { resolveChannel } from '../../model/peers/resolve-peer.ts';

/** Renames a channel or supergroup, with a service message. Errors: `CHAT_ADMIN_REQUIRED`, `CHAT_TITLE_EMPTY`, `CHAT_NOT_MODIFIED`. */
export const editTitle = defineMethod('channels.editTitle', async (params, call) => {
  const peer = await resolveChannel(call, params.channel);
  if (peer.channel.kind === 'monoforum') throw new MessengerError('CHANNEL_INVALID');
  if (!isAllowed(peer.member, 'changeInfo')) throw new MessengerError('CHAT_ADMIN_REQUIRED');
  expectOwnMember(call, peer);
  const title = readTitle(params.title);
  if (title === peer.channel.title) throw new MessengerError('CHAT_NOT_MODIFIED');
  const channel = { ...peer.channel, title };
  call.tx.expectField(CHANNELS, peer.id, JSON.stringify(peer.channel));
  call.tx.hset(CHANNELS, peer.id, channel);
  const memberIds = await observeMemberIds(call, peer.id);
  return announce(call, { ...peer, channel }, { _: 'messageActionChatEditTitle', title }, { memberIds });
});

export const example: Example<'channels.editTitle'> = async (context) => ({
  channel: await inputChannel(context, 'channelId'),
  title: 'Newer news',
});
