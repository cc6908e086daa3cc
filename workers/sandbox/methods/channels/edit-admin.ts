import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel, inputUser } from '../../examples/input-peers.ts';
import { setBan } from '../../model/chats/bans.ts';
import { expectOwnMember } from '../../model/chats/channel-members.ts';
import { findMember, type MemberRecord, toTlChannel } from '../../model/chats/chats.ts';
import { ensurePermanentInvite } from '../../model/chats/invites.ts';
import { membersKey } from '../../model/chats/keys.ts';
import { type AdminRights, isAllowed, listSet, onlySet } from '../../model/chats/rights.ts';
import { readRank } from '../../model/chats/title.ts';
import { notifyOfParticipants } from '../../model/conversations/notify-participant.ts';
import { listMembers, mayManageAdmin } from '../../model/conversations/participants.ts';
import { inviteMembers } from '../../model/messages/invite-members.ts';
import { toUpdates } from '../../model/messages/posted-updates.ts';
import type { ChannelPeer } from '../../model/peers/peer.ts';
import { resolveChannel, resolveUser } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';
import { targetOf, type UserRecord } from '../../model/people/users.ts';

const ADMINS_MAX = 50;

type Changed = Omit<MemberRecord, 'date' | 'sinceId' | 'ban'>;

/**
 * Makes a user an administrator of a channel with these rights, and a member if it is not yet one; without rights, makes it an ordinary
 * member again. Without `rank`, its rank stays. Errors: `CHAT_ADMIN_REQUIRED`, `CHAT_ADMIN_INVITE_REQUIRED`, `RIGHT_FORBIDDEN` for rights
 * the account does not have, `USER_CREATOR`, `ADMINS_TOO_MUCH`, `ADMIN_RANK_INVALID`, `ADMIN_RANK_EMOJI_NOT_ALLOWED`,
 * `USER_PRIVACY_RESTRICTED`.
 */
export const editAdmin = defineMethod('channels.editAdmin', async (params, call) => {
  const [peer, user] = await Promise.all([
    resolveChannel(call, params.channel),
    resolveUser(call, params.userId),
  ]);
  if (peer.channel.kind === 'monoforum') throw new MessengerError('CHANNEL_MONOFORUM_UNSUPPORTED');
  const rights = onlySet(params.adminRights);
  requireGrantRight(peer, rights);
  expectOwnMember(call, peer);
  const member = await findMember(call, peer.id, user.id);
  const rank = readRank(params.rank ?? member?.rank);
  if (member?.role === 'creator') {
    if (user.id !== call.account.userId) throw new MessengerError('USER_CREATOR');
    return change(call, peer, user, member, { role: 'creator', ...rank });
  }
  if (member?.role === 'admin' && !mayManageAdmin(call, peer, member))
    throw new MessengerError('CHAT_ADMIN_REQUIRED');
  if (listSet(rights).length === 0) return change(call, peer, user, member, { role: 'member', ...rank });
  if (member?.role !== 'admin') await refuseTooManyAdmins(call, peer);
  if (rights.inviteUsers) await ensurePermanentInvite(call, peer.key, user.id);
  const promotedBy = member?.promotedBy ?? call.account.userId;
  const admin: Changed = { role: 'admin', rights, promotedBy, ...rank };
  return member ? change(call, peer, user, member, admin) : addAsMember(call, peer, user, admin);
});

function requireGrantRight({ member }: ChannelPeer, rights: AdminRights): void {
  if (!isAllowed(member, 'addAdmins')) throw new MessengerError('CHAT_ADMIN_REQUIRED');
  if (member?.role === 'creator') return;
  if (listSet(rights).some((right) => !isAllowed(member, right))) throw new MessengerError('RIGHT_FORBIDDEN');
}

async function refuseTooManyAdmins(call: CallContext, { id }: ChannelPeer): Promise<void> {
  const admins = (await listMembers(call, id)).filter(({ member }) => member?.role === 'admin');
  if (admins.length >= ADMINS_MAX) throw new MessengerError('ADMINS_TOO_MUCH');
}

async function change(
  call: CallContext,
  peer: ChannelPeer,
  user: UserRecord,
  member: MemberRecord | null,
  to: Changed,
) {
  if (!member) throw new MessengerError('USER_ID_INVALID');
  const { date, sinceId, inviterId, invite, ban } = member;
  const changed: MemberRecord = {
    ...to,
    date,
    ...(sinceId === undefined ? {} : { sinceId }),
    ...(inviterId === undefined ? {} : { inviterId }),
    ...(invite === undefined ? {} : { invite }),
    ...(ban && to.role === 'member' ? { ban } : {}),
  };
  call.tx.expectField(membersKey(peer.id), user.id, JSON.stringify(member));
  call.tx.hset(membersKey(peer.id), user.id, changed);
  if (ban && !changed.ban) await setBan(call, peer.id, user.id, null);
  const [before, after] = [{ member }, { member: changed }];
  await notifyOfParticipants(call, peer, [{ userId: user.id, before, after }]);
  const update = { _: 'updateChannel', channelId: peer.id } as const;
  if (!user.deleted) call.tx.update(targetOf(user), update);
  const own = user.id === call.account.userId ? changed : peer.member;
  const chat = toTlChannel(peer.channel, call.account.userId, own);
  return toUpdates(call, [update], { chat, peers: [toTlPeer({ kind: 'user', id: user.id })] });
}

async function addAsMember(call: CallContext, peer: ChannelPeer, user: UserRecord, as: Changed) {
  if (!isAllowed(peer.member, 'inviteUsers')) throw new MessengerError('CHAT_ADMIN_INVITE_REQUIRED');
  const inviterId = call.account.userId;
  const { updates, missingInvitees } = await inviteMembers(call, peer, [user], { ...as, inviterId });
  if (missingInvitees.length > 0) throw new MessengerError('USER_PRIVACY_RESTRICTED');
  return updates;
}

export const example: Example<'channels.editAdmin'> = async (context) => ({
  channel: await inputChannel(context, 'forumId'),
  userId: await inputUser(context, 'contactId'),
  adminRights: { _: 'chatAdminRights', changeInfo: true, deleteMessages: true },
  rank: 'Editor',
});

export const difference = '`anonymous` is kept, and hides nobody.';
