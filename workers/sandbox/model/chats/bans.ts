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

/** Whether a user, by default the calling account, is banned from a channel at the time of the call. */
export async function isKicked(
  call: CallContext,
  channelId: number,
  userId = call.account.userId,
): Promise<boolean> {
  const [ban] = await findBans(call, channelId, [userId]);
  return isForbidden(ban, 'viewMessages', call.date);
}

/** Sets what a user may not do in a channel; null lifts its ban. A ban with an end (`untilDate`) is lifted when that comes. */
export async function setBan(
  call: CallContext,
  channelId: number,
  userId: number,
  ban: Ban | null,
): Promise<void> {
  const { tx } = call;
  const ownKind = ban && (ban.rights.viewMessages ? 'kicked' : 'restricted');
  for (const kind of ['kicked', 'restricted'] as const) {
    if (kind === ownKind) tx.zadd(banListKey(channelId, kind), ban?.date ?? 0, userId);
    else tx.zrem(banListKey(channelId, kind), userId);
  }
  if (ban) tx.hset(bansKey(channelId), userId, ban);
  else tx.hdel(bansKey(channelId), userId);
  const dueWork = `ban:${channelId}:${userId}`;
  const until = ban?.rights.untilDate ?? 0;
  // 0 stands for a ban without an end.
  if (until === 0) tx.zrem(DUE, dueWork);
  else {
    tx.zadd(DUE, until, dueWork);
    await call.wakeAt?.(until);
  }
}

/** Lifts a ban that has ended. `dueWork` is its name in `DUE`, as `setBan` left it there: `ban:<channel>:<user>`. */
export async function endBan(call: CallContext, dueWork: string): Promise<void> {
  const { tx, date } = call;
  const [channelId, userId] = dueWork.split(':').slice(1).map(Number) as [number, number];
  const [ban, raw] = await Promise.all([
    observeBan(call, channelId, userId),
    tx.observe(membersKey(channelId), userId),
  ]);
  // The user may have been banned again after the work was found.
  const remaining = inForce(ban, date);
  await setBan(call, channelId, userId, remaining);
  if (!ban || remaining || raw === null) return;
  const { ban: _, ...member } = JSON.parse(raw) as MemberRecord;
  tx.hset(membersKey(channelId), userId, member);
}
