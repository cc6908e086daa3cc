import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import { observeMemberIds } from '../../model/chats/channel-members.ts';
import { removeMember } from '../../model/conversations/leave-channel.ts';
import { notifyOfParticipants } from '../../model/conversations/notify-participant.ts';
import { leaveCallsOf } from '../../model/group-calls/leave-call.ts';
import { announce, memberAction } from '../../model/messages/announce.ts';
import { resolveChannel } from '../../model/peers/resolve-peer.ts';
import { getSelf } from '../../model/people/users.ts';

/**
 * Leaves a channel or supergroup, with a service message in a supergroup, and removes the dialog. Errors: `USER_NOT_PARTICIPANT`,
 * `USER_CREATOR`, `CHANNEL_PRIVATE`.
 */
export const leaveChannel = defineMethod('channels.leaveChannel', async (params, call) => {
  const peer = await resolveChannel(call, params.channel);
  if (!peer.member) throw new MessengerError('USER_NOT_PARTICIPANT');
  if (peer.member.role === 'creator') throw new MessengerError('USER_CREATOR');
  const [self, members] = await Promise.all([getSelf(call), observeMemberIds(call, peer.id)]);
  const action = memberAction(peer, { _: 'messageActionChatDeleteUser', userId: self.id });
  const memberIds = members.filter((id) => id !== self.id);
  const updates = await announce(call, { ...peer, member: null }, action, { memberIds });
  const [before, after] = [{ member: peer.member }, { member: null, ban: peer.member.ban }];
  await notifyOfParticipants(call, peer, [{ userId: self.id, before, after }]);
  await leaveCallsOf(call, peer.key, self.id);
  await removeMember(call, peer, self, peer.member);
  return updates;
});

export const example: Example<'channels.leaveChannel'> = async (context) => ({
  channel: await inputChannel(context, 'publicChannelId'),
});
