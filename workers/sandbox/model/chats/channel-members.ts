import { untilSent } from '../../../../src/state/batch-reads.ts';
import type { CallContext } from '../../../driver.ts';
import { SEQ } from '../common/keys.ts';
import { type ChannelRecord, listMemberIds, type MemberRecord } from './chats.ts';
import { CHANNELS, membersField, membersKey } from './keys.ts';

/** Whether a member may post to a channel and change it. */
export function isAdmin(member: MemberRecord | null): member is MemberRecord {
  return member !== null && member.role !== 'member';
}

/** Makes the commit fail if the calling account's membership has changed by then. */
export function expectOwnMember(
  { tx, account }: CallContext,
  { id, member }: { id: number; member: MemberRecord | null },
): void {
  tx.expectField(membersKey(id), account.userId, member && JSON.stringify(member));
}

/** Makes the commit fail if a channel, or the calling account's membership, has changed by then. */
export function expectOwnRights(
  call: CallContext,
  peer: { id: number; channel: ChannelRecord; member: MemberRecord | null },
): void {
  call.tx.expectField(CHANNELS, peer.id, JSON.stringify(peer.channel));
  expectOwnMember(call, peer);
}

/** Ids of a channel's members; the commit fails if a member joins or leaves meanwhile. */
export async function observeMemberIds(call: CallContext, channelId: number): Promise<number[]> {
  // Read the counter first: a user who joins between the two reads raises it, so that the commit fails.
  const counting = call.tx.observe(SEQ, membersField(channelId));
  const [, ids] = await Promise.all([counting, untilSent().then(() => listMemberIds(call, channelId))]);
  return ids;
}

/** Counts that a member has joined or left a channel. */
export function countMembershipChange(call: CallContext, channelId: number): void {
  call.tx.hincrby(SEQ, membersField(channelId), 1);
}
