import type { CallContext } from '../../../driver.ts';
import { DUE } from '../common/due.ts';
import type { MemberRecord } from './chats.ts';
import { banListKey, bansKey, membersKey } from './keys.ts';
import { type Ban, inForce, isForbidden } from './rights.ts';

/** The bans of these users in a channel; null for users who are not banned. */
export async function findBans(
  call: CallContext,
  channelId: number,
  userIds: readonly (number | string)[],
): Promise<(Ban | null)[]> {
  if (userIds.length === 0) return [];
  const found = await call.tx.read.hmget(call.tx.key(bansKey(channelId)), ...userIds.map(String));
  return found.map((raw) => (raw === null ? null : (JSON.parse(raw) as Ban)));
}

/** A user's ban in a channel; the commit fails if it has changed by then. */
export async function observeBan(
  { tx }: CallContext,
  channelId: number,
  userId: number,
): Promise<Ban | null> {
  const raw = await tx.observe(bansKey(channelId), userId);
  return raw === null ? null : (JSON.parse(raw) as Ban);
}

/** Whether the calling account, or another user, was banned from a channel. */
export async function isKicked(
  call: CallContext,
  channelId: number,
  userId = call.account.userId,
): Promise<boolean> {
  const [ban] = await findBans(call, channelId, [userId]);
  return isForbidden(ban, 'viewMessages', call.date);
}

/** Sets what a user may not do in a channel; null lifts its ban. A ban with an end is lifted then. */
export async function setBan(
  call: CallContext,
  channelId: number,
  userId: number,
  ban: Ban | null,
): Promise<void> {
  const { tx } = call;
  const kept = ban && (ban.rights.viewMessages ? 'kicked' : 'restricted');
  for (const kind of ['kicked', 'restricted'] as const) {
    if (kind === kept) tx.zadd(banListKey(channelId, kind), ban?.date ?? 0, userId);
    else tx.zrem(banListKey(channelId, kind), userId);
  }
  if (ban) tx.hset(bansKey(channelId), userId, ban);
  else tx.hdel(bansKey(channelId), userId);
  const work = `ban:${channelId}:${userId}`;
  const until = ban?.rights.untilDate ?? 0;
  if (until === 0) tx.zrem(DUE, work);
  else {
    tx.zadd(DUE, until, work);
    await call.wakeAt?.(until);
  }
}

/** Lifts a ban that has ended: work that was left for then. */
export async function endBan(call: CallContext, work: string): Promise<void> {
  const { tx, date } = call;
  const [channelId, userId] = work.split(':').slice(1).map(Number) as [number, number];
  const [ban, raw] = await Promise.all([
    observeBan(call, channelId, userId),
    tx.observe(membersKey(channelId), userId),
  ]);
  // It may have been set again after the work was found.
  const left = inForce(ban, date);
  await setBan(call, channelId, userId, left);
  if (!ban || left || raw === null) return;
  const { ban: _, ...member } = JSON.parse(raw) as MemberRecord;
  tx.hset(membersKey(channelId), userId, member);
}
