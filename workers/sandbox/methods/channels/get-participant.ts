import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel, SELF } from '../../examples/input-peers.ts';
import { findBans } from '../../model/chats/bans.ts';
import { findMember, toTlChannel } from '../../model/chats/chats.ts';
import { inForce } from '../../model/chats/rights.ts';
import {
  seesMembers,
  toTlParticipant,
  userIdsIn,
  withVisibleBan,
} from '../../model/conversations/participants.ts';
import { resolveChannel, resolvePeer } from '../../model/peers/resolve-peer.ts';
import { viewUsers } from '../../model/people/view-users.ts';

/**
 * A member of a channel, or a user who is banned from it. Errors: `USER_NOT_PARTICIPANT`, `PARTICIPANT_ID_INVALID` for a peer that is not a
 * user, `CHAT_ADMIN_REQUIRED` for other readers of a channel that the account does not administer.
 */
export const getParticipant = defineMethod('channels.getParticipant', async (params, call) => {
  const [peer, user] = await Promise.all([
    resolveChannel(call, params.channel),
    resolvePeer(call, params.participant),
  ]);
  if (user.kind !== 'user') throw new MessengerError('PARTICIPANT_ID_INVALID');
  const self = call.account.userId;
  if (user.id !== self && !seesMembers(peer)) throw new MessengerError('CHAT_ADMIN_REQUIRED');
  const [member, [ban]] = await Promise.all([
    findMember(call, peer.id, user.id),
    findBans(call, peer.id, [user.id]),
  ]);
  const found = { userId: user.id, member, ban: inForce(ban, call.date) };
  const participant = withVisibleBan(call, peer, found);
  if (!member && !participant.ban) throw new MessengerError('USER_NOT_PARTICIPANT');
  return {
    _: 'channels.channelParticipant',
    participant: toTlParticipant(call, peer, participant),
    chats: [toTlChannel(peer.channel, self, peer.member)],
    users: await viewUsers(call, [...new Set(userIdsIn(participant))]),
  };
});

export const example: Example<'channels.getParticipant'> = async (context) => ({
  channel: await inputChannel(context, 'forumId'),
  participant: SELF,
});
