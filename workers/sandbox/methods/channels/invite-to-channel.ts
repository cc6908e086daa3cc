import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel, inputUser } from '../../examples/input-peers.ts';
import { expectOwnRights } from '../../model/chats/channel-members.ts';
import { isAllowed, isForbidden } from '../../model/chats/rights.ts';
import { inviteMembers } from '../../model/messages/invite-members.ts';
import type { ChannelPeer } from '../../model/peers/peer.ts';
import { resolveChannel, resolveUser } from '../../model/peers/resolve-peer.ts';

const NAMED_MAX = 100;

/**
 * Adds users to a channel that the account administers, or to a supergroup, with a service message there. Members are ignored. Users who do
 * not let the account add them are in `missingInvitees`. Errors: `CHAT_ADMIN_REQUIRED`, `CHAT_WRITE_FORBIDDEN`, `USER_BANNED_IN_CHANNEL`,
 * `USERS_TOO_MUCH`.
 */
export const inviteToChannel = defineMethod('channels.inviteToChannel', async (params, call) => {
  if (params.users.length > NAMED_MAX) throw new MessengerError('USERS_TOO_MUCH');
  const [peer, users] = await Promise.all([
    resolveChannel(call, params.channel),
    Promise.all(params.users.map((user) => resolveUser(call, user))),
  ]);
  requireInviteRight(call, peer);
  expectOwnRights(call, peer);
  return inviteMembers(call, peer, users, { role: 'member', inviterId: call.account.userId });
});

function requireInviteRight(call: CallContext, { channel, member }: ChannelPeer): void {
  if (channel.kind === 'monoforum') throw new MessengerError('CHANNEL_MONOFORUM_UNSUPPORTED');
  if (!member) throw new MessengerError('CHAT_WRITE_FORBIDDEN');
  const everybodyMay = channel.kind === 'megagroup' && !channel.defaultBan?.inviteUsers;
  // An administrator without the right may do what every member may.
  if (!everybodyMay && !isAllowed(member, 'inviteUsers')) throw new MessengerError('CHAT_ADMIN_REQUIRED');
  if (isForbidden(member.ban, 'inviteUsers', call.date)) throw new MessengerError('USER_BANNED_IN_CHANNEL');
}

export const example: Example<'channels.inviteToChannel'> = async (context) => ({
  channel: await inputChannel(context, 'forumId'),
  users: [await inputUser(context, 'contactId')],
});

export const difference = 'At most 100 users, none of them banned.';
