import type { MethodResult } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import { listMemberIds, toTlChannel } from '../../model/chats/chats.ts';
import { CHANNEL_MEMBERS_MAX, joinAs } from '../../model/conversations/join-channel.ts';
import { postMessage } from '../../model/messages/post-message.ts';
import { toPostedUpdates, toUpdates } from '../../model/messages/posted-updates.ts';
import type { ChannelPeer } from '../../model/peers/peer.ts';
import { resolveChannel } from '../../model/peers/resolve-peer.ts';

/**
 * Joins a public channel or supergroup; a supergroup says so in a service message. Errors: `CHANNEL_PRIVATE`,
 * `CHANNEL_MONOFORUM_UNSUPPORTED`, `USER_ALREADY_PARTICIPANT`, `USERS_TOO_MUCH`, `CHANNELS_TOO_MUCH`.
 */
export const joinChannel = defineMethod('channels.joinChannel', async (params, call) => {
  const peer = await resolveChannel(call, params.channel);
  if (peer.channel.kind === 'monoforum') throw new MessengerError('CHANNEL_MONOFORUM_UNSUPPORTED');
  if (peer.member) throw new MessengerError('USER_ALREADY_PARTICIPANT');
  const memberIds = await listMemberIds(call, peer.id);
  if (memberIds.length >= CHANNEL_MEMBERS_MAX) throw new MessengerError('USERS_TOO_MUCH');
  const member = await joinAs(call, peer.channel, 'member');
  return {
    _: 'messages.chatInviteJoinResultOk',
    updates: await announce(call, { ...peer, member }, [...memberIds, call.account.userId]),
  };
});

async function announce(
  call: CallContext,
  peer: ChannelPeer,
  memberIds: number[],
): Promise<MethodResult<'channels.createChannel'>> {
  const self = call.account.userId;
  const chat = toTlChannel(peer.channel, self, peer.member);
  const more = [{ _: 'updateChannel' as const, channelId: peer.id }];
  if (peer.channel.kind === 'broadcast') return toUpdates(call, more, { chat });
  const action = { _: 'messageActionChatAddUser' as const, users: [self] };
  const posted = await postMessage(call, peer, { _: 'messageService', action }, { memberIds });
  return toPostedUpdates(call, peer, posted, { chat, more });
}

export const example: Example<'channels.joinChannel'> = async (exemplar) => ({
  channel: await inputChannel(exemplar, 'openChannelId'),
});

export const difference = 'An account is in at most 500 channels, and no request has to be approved.';
