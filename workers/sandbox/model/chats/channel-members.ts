import { untilSent } from '../../../../src/state/batch-reads.ts';
import type { CallContext } from '../../../driver.ts';
import { SEQ } from '../common/keys.ts';
import { listMemberIds, type MemberRecord } from './chats.ts';
import { membersField, membersKey } from './keys.ts';

/** Whether a member may post to a channel and change it. */
export function isAdmin(member: MemberRecord | null): member is MemberRecord {
  return member !== null && member.role !== 'member';
}

/** The commit fails if the calling account is no member of the channel by then, or another one. */
export function expectOwnMember(
  { tx, account }: CallContext,
  { id, member }: { id: number; member: MemberRecord | null },
): void {
  tx.expectField(membersKey(id), account.userId, member && JSON.stringify(member));
}

/** Ids of a channel's members; the commit fails if somebody comes or goes meanwhile. */
export async function observeMemberIds(call: CallContext, channelId: number): Promise<number[]> {
  // The count is read first: who comes between the two reads has raised it by the commit.
  const counting = call.tx.observe(SEQ, membersField(channelId));
  const [, ids] = await Promise.all([counting, untilSent().then(() => listMemberIds(call, channelId))]);
  return ids;
}

/** Counts that somebody has come to a channel or gone. */
export function noteMembership(call: CallContext, channelId: number): void {
  call.tx.hincrby(SEQ, membersField(channelId), 1);
}
