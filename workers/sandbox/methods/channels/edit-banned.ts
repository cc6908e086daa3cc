import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel, peerUser } from '../../examples/input-peers.ts';
import { setBan } from '../../model/chats/bans.ts';
import { expectOwnMember, observeMemberIds } from '../../model/chats/channel-members.ts';
import { findMember, type MemberRecord } from '../../model/chats/chats.ts';
import { bansKey, membersKey } from '../../model/chats/keys.ts';
import { type Ban, type BannedRights, isAllowed, onlySet } from '../../model/chats/rights.ts';
import { removeMember } from '../../model/conversations/leave-channel.ts';
import { notifyOfParticipants } from '../../model/conversations/notify-participant.ts';
import { mayManageAdmin } from '../../model/conversations/participants.ts';
import { leaveCallsOf } from '../../model/group-calls/leave-call.ts';
import { announce, memberAction } from '../../model/messages/announce.ts';
import type { ChannelPeer } from '../../model/peers/peer.ts';
import { resolveChannel, resolvePeer } from '../../model/peers/resolve-peer.ts';
import { targetOf } from '../../model/people/users.ts';

const FOREVER_BELOW_S = 30;
const FOREVER_ABOVE_S = 366 * 24 * 60 * 60;

/**
 * Bans a user from a channel (`viewMessages`), restricts what a member of a supergroup may do, or lifts this again (no rights). Errors:
 * `CHAT_ADMIN_REQUIRED`, `USER_ADMIN_INVALID` for administrators that the account did not promote, `PARTICIPANT_ID_INVALID`,
 * `BANNED_RIGHTS_INVALID` for restricting a reader of a channel.
 */
export const editBanned = defineMethod('channels.editBanned', async (params, call) => {
  const [peer, user] = await Promise.all([
    resolveChannel(call, params.channel),
    resolvePeer(call, params.participant),
  ]);
  if (peer.channel.kind === 'monoforum') throw new MessengerError('CHANNEL_INVALID');
  if (!isAllowed(peer.member, 'banUsers')) throw new MessengerError('CHAT_ADMIN_REQUIRED');
  expectOwnMember(call, peer);
  if (user.kind !== 'user') throw new MessengerError('PARTICIPANT_ID_INVALID');
  const ban = toBan(call, peer, params.bannedRights);
  const [member, memberIds, former] = await Promise.all([
    findMember(call, peer.id, user.id),
    observeMemberIds(call, peer.id),
    call.tx.observe(bansKey(peer.id), user.id),
  ]);
  requireDemotable(call, peer, user.id, member);
  await setBan(call, peer.id, user.id, ban);
  const isKicked = member !== null && ban?.rights.viewMessages === true;
  const action = isKicked ? memberAction(peer, { _: 'messageActionChatDeleteUser', userId: user.id }) : null;
  const notifiedIds = memberIds.filter((id) => id !== user.id);
  const after = { member: isKicked || !member ? null : withBan(member, ban), ban };
  const before = { member, ban: former === null ? null : (JSON.parse(former) as Ban) };
  await notifyOfParticipants(call, peer, [{ userId: user.id, before, after }]);
  const updates = await announce(call, peer, action, { memberIds: notifiedIds, others: [user.id] });
  // Others than members may take part in a live story.
  if (ban?.rights.viewMessages) await leaveCallsOf(call, peer.key, user.user.id);
  if (isKicked) {
    await removeMember(call, peer, user.user, member);
  } else if (member) {
    call.tx.expectField(membersKey(peer.id), user.id, JSON.stringify(member));
    call.tx.hset(membersKey(peer.id), user.id, after.member);
  }
  if (!isKicked && !user.user.deleted)
    call.tx.update(targetOf(user.user), { _: 'updateChannel', channelId: peer.id });
  return updates;
});

function toBan(call: CallContext, { channel }: ChannelPeer, given: BannedRights): Ban | null {
  const { untilDate, ...rights } = onlySet(given);
  if (Object.keys(rights).length === 1) return null;
  if (channel.kind !== 'megagroup' && !rights.viewMessages) throw new MessengerError('BANNED_RIGHTS_INVALID');
  const lasts = untilDate - call.date;
  const isForever = lasts < FOREVER_BELOW_S || lasts > FOREVER_ABOVE_S;
  return {
    rights: { ...rights, untilDate: isForever ? 0 : untilDate },
    kickedBy: call.account.userId,
    date: call.date,
  };
}

function requireDemotable(
  call: CallContext,
  peer: ChannelPeer,
  userId: number,
  member: MemberRecord | null,
): void {
  if (userId === call.account.userId || member?.role === 'creator')
    throw new MessengerError('USER_ADMIN_INVALID');
  if (member?.role === 'admin' && !mayManageAdmin(call, peer, member))
    throw new MessengerError('USER_ADMIN_INVALID');
}

// Restricting an administrator makes it an ordinary member, without its title.
function withBan({ ban: _, ...member }: MemberRecord, ban: Ban | null): MemberRecord {
  if (!ban) return member;
  if (member.role === 'member') return { ...member, ban };
  const { rights: __, promotedBy: ___, rank: ____, ...kept } = member;
  return { ...kept, role: 'member', ban };
}

export const example: Example<'channels.editBanned'> = async (context) => ({
  channel: await inputChannel(context, 'forumId'),
  participant: await peerUser(context, 'friendId'),
  bannedRights: { _: 'chatBannedRights', sendMedia: true, untilDate: 0 },
});

export const difference = 'Only users can be banned.';
