import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import { expectOwnRights, observeMemberIds } from '../../model/chats/channel-members.ts';
import { CHANNEL_MEMBERS_MAX, joinAs } from '../../model/conversations/join-channel.ts';
import { notifyOfParticipants } from '../../model/conversations/notify-participant.ts';
import { announce, memberAction } from '../../model/messages/announce.ts';
import { resolveChannel } from '../../model/peers/resolve-peer.ts';

/**
 * Joins a public channel or supergroup, with a service message in a supergroup. Errors: `CHANNEL_PRIVATE` (also for banned users),
 * `CHANNEL_MONOFORUM_UNSUPPORTED`, `USER_ALREADY_PARTICIPANT`, `USERS_TOO_MUCH`, `CHANNELS_TOO_MUCH`.
 */
export const joinChannel = defineMethod('channels.joinChannel', async (params, call) => {
  const peer = await resolveChannel(call, params.channel);
  if (peer.channel.kind === 'monoforum') throw new MessengerError('CHANNEL_MONOFORUM_UNSUPPORTED');
  if (peer.member) throw new MessengerError('USER_ALREADY_PARTICIPANT');
  // It may have become private.
  expectOwnRights(call, peer);
  const memberIds = await observeMemberIds(call, peer.id);
  if (memberIds.length >= CHANNEL_MEMBERS_MAX) throw new MessengerError('USERS_TOO_MUCH');
  const self = call.account.userId;
  const member = await joinAs(call, peer.id, 'member');
  const before = { member: null, ban: member.ban };
  await notifyOfParticipants(call, peer, [{ userId: self, before, after: { member } }]);
  const action = memberAction(peer, { _: 'messageActionChatAddUser', users: [self] });
  const updates = await announce(call, { ...peer, member }, action, { memberIds: [...memberIds, self] });
  return { _: 'messages.chatInviteJoinResultOk', updates };
});

export const example: Example<'channels.joinChannel'> = async (context) => ({
  channel: await inputChannel(context, 'openChannelId'),
});

export const difference = 'An account is in at most 500 channels. Nobody has to approve.';
