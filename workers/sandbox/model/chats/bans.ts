import type { CallContext } from '../../../driver.ts';
import { banListKey, bansKey } from './keys.ts';
import { type Ban, isForbidden } from './rights.ts';

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

/** Sets a user's ban in a channel, complete or partial; null lifts it. */
export function setBan({ tx }: CallContext, channelId: number, userId: number, ban: Ban | null): void {
  const kept = ban && (ban.rights.viewMessages ? 'kicked' : 'restricted');
  for (const kind of ['kicked', 'restricted'] as const) {
    if (kind === kept) tx.zadd(banListKey(channelId, kind), ban?.date ?? 0, userId);
    else tx.zrem(banListKey(channelId, kind), userId);
  }
  if (ban) tx.hset(bansKey(channelId), userId, ban);
  else tx.hdel(bansKey(channelId), userId);
}
