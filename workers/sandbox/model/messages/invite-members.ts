import type { MethodResult } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { findBans } from '../chats/bans.ts';
import { observeMemberIds } from '../chats/channel-members.ts';
import type { MemberRecord } from '../chats/chats.ts';
import { admit, CHANNEL_MEMBERS_MAX } from '../conversations/join-channel.ts';
import { notifyOfParticipants } from '../conversations/notify-participant.ts';
import type { ChannelPeer } from '../peers/peer.ts';
import { findBlocks } from '../people/blocks.ts';
import type { UserRecord } from '../people/users.ts';
import { splitInvitees } from '../privacy/split-invitees.ts';
import { announce, memberAction } from './announce.ts';

/**
 * Adds users to a channel, with a service message in a supergroup. Members are ignored; users who do not let the account add them are
 * returned as missing. Errors: `USERS_TOO_MUCH`, `USER_KICKED`, `USER_BLOCKED`, `USER_BOT` for a bot that is to be a reader,
 * `INPUT_USER_DEACTIVATED`, `USER_CHANNELS_TOO_MUCH`.
 */
export async function inviteMembers(
  call: CallContext,
  peer: ChannelPeer,
  named: readonly UserRecord[],
  as: Omit<MemberRecord, 'date' | 'sinceId' | 'ban'>,
): Promise<MethodResult<'channels.inviteToChannel'>> {
  const members = await observeMemberIds(call, peer.id);
  const users = [...new Map(named.map((user) => [user.id, user])).values()];
  const strangers = users.filter(({ id }) => !members.includes(id));
  for (const user of strangers) refuseUser(peer, user, as);
  const blocks = await Promise.all(strangers.map(({ id }) => findBlocks(call, id)));
  if (blocks.some(({ theirs }) => theirs)) throw new MessengerError('USER_BLOCKED');
  const { willing, missingInvitees } = await splitInvitees(call, strangers);
  if (members.length + willing.length > CHANNEL_MEMBERS_MAX) throw new MessengerError('USERS_TOO_MUCH');
  const added = willing.map(({ id }) => id);
  if (added.length > 0) {
    const errors = { kicked: 'USER_KICKED', tooMany: 'USER_CHANNELS_TOO_MUCH' };
    const bans = await findBans(call, peer.id, added);
    const admitted = await admit(call, peer.id, willing, as, errors);
    const toChange = (userId: number, i: number) => {
      const member = admitted[i] ?? null;
      return { userId, before: { member: null, ban: bans[i] ?? null }, after: { member } };
    };
    await notifyOfParticipants(call, peer, added.map(toChange));
  }
  const action =
    added.length > 0 ? memberAction(peer, { _: 'messageActionChatAddUser', users: added }) : null;
  const memberIds = [...members, ...added];
  const updates = await announce(call, peer, action, { memberIds, others: added });
  return { _: 'messages.invitedUsers', updates, missingInvitees };
}

function refuseUser({ channel }: ChannelPeer, user: UserRecord, { role }: Pick<MemberRecord, 'role'>): void {
  if (user.deleted) throw new MessengerError('INPUT_USER_DEACTIVATED');
  // In a broadcast channel, a bot can only be an administrator.
  if (user.bot && channel.kind === 'broadcast' && role === 'member') throw new MessengerError('USER_BOT');
}
