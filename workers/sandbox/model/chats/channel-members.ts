import type { MemberRecord } from './chats.ts';

/** Whether a member may post to a channel and change it. */
export function isAdmin(member: MemberRecord | null): member is MemberRecord {
  return member !== null && member.role !== 'member';
}
