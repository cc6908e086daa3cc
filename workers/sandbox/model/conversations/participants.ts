import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { isAdmin } from '../chats/channel-members.ts';
import type { ChannelRecord, MemberRecord } from '../chats/chats.ts';
import { membersKey } from '../chats/keys.ts';
import { ALL_RIGHTS, type Ban, inForce, isAllowed } from '../chats/rights.ts';
import type { ChannelPeer } from '../peers/peer.ts';

export type TlParticipant = TlJson<tl.TypeChannelParticipant>;

/** A user who is a member of a channel, or is banned from it, with a ban that is in force. */
export interface Participant {
  userId: number;
  member: MemberRecord | null;
  ban: Ban | null;
}

/** The members of a channel (at most 90), newest first. */
export async function listMembers(call: CallContext, channelId: number): Promise<Participant[]> {
  const found = await call.tx.read.hgetall(call.tx.key(membersKey(channelId)));
  return Object.entries(found)
    .map(([userId, raw]) => {
      const member = JSON.parse(raw) as MemberRecord;
      return { userId: Number(userId), member, ban: inForce(member.ban, call.date) };
    })
    .toSorted((a, b) => b.member.date - a.member.date || a.userId - b.userId);
}

/** Hides a participant's ban from accounts that may not see it: only administrators see the bans of others. */
export function withVisibleBan(call: CallContext, { member }: ChannelPeer, one: Participant): Participant {
  return isAdmin(member) || one.userId === call.account.userId ? one : { ...one, ban: null };
}

/** A participant as a TL object, as the calling account sees it. */
export function toTlParticipant(
  call: CallContext,
  peer: ChannelPeer,
  participant: Participant,
): TlParticipant {
  const { userId, member, ban } = participant;
  const rank = member?.rank === undefined ? {} : { rank: member.rank };
  if (member?.role === 'creator')
    return { _: 'channelParticipantCreator', userId, adminRights: ALL_RIGHTS, ...rank };
  const isSelf = userId === call.account.userId;
  const inviterId = member?.inviterId ?? userId;
  if (member?.role === 'admin') {
    return {
      _: 'channelParticipantAdmin',
      ...(mayManageAdmin(call, peer, member) ? { canEdit: true } : {}),
      ...(isSelf ? { self: true, inviterId } : {}),
      userId,
      promotedBy: member.promotedBy ?? peer.channel.creatorId,
      date: member.date,
      adminRights: member.rights ?? { _: 'chatAdminRights' },
      ...rank,
    };
  }
  if (ban) {
    return {
      _: 'channelParticipantBanned',
      ...(member ? {} : { left: true }),
      peer: { _: 'peerUser', userId },
      kickedBy: ban.kickedBy,
      date: ban.date,
      bannedRights: ban.rights,
      ...rank,
    };
  }
  const date = member?.date ?? 0;
  return isSelf
    ? { _: 'channelParticipantSelf', userId, inviterId, date, ...rank }
    : { _: 'channelParticipant', userId, date, ...rank };
}

/** Whether the calling account may change an administrator: as the creator, or if it promoted that one and may still add administrators. */
export function mayManageAdmin(call: CallContext, peer: ChannelPeer, { promotedBy }: MemberRecord): boolean {
  if (peer.member?.role === 'creator') return true;
  return isAllowed(peer.member, 'addAdmins') && promotedBy === call.account.userId;
}

/** Whether the calling account sees the members of a channel. In a supergroup everyone does, otherwise only administrators. */
export function seesMembers({
  channel,
  member,
}: {
  channel: ChannelRecord;
  member: MemberRecord | null;
}): boolean {
  return channel.kind === 'megagroup' || isAdmin(member);
}

/** The ids of the users that a participant refers to: itself, and who invited, promoted or banned it. */
export function userIdsIn({ userId, member, ban }: Participant): number[] {
  return [userId, member?.inviterId, member?.promotedBy, ban?.kickedBy].filter((id) => id !== undefined);
}
