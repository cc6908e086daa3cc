import type { RedisConnection } from '../redis/connections.ts';
import { directoryKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';

/** Sorted set: id of a deleted workspace -> when to remove what is left of it. */
const DELETED_WORKSPACES = directoryKey('deleted-workspaces');

/**
 * KEYS  1 deleted workspaces
 * ARGV  1 how many at most, 2 how long in ms they are left to whoever takes them
 * Result the ids
 */
const take = new Script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ids = redis.call('ZRANGE', KEYS[1], '-inf', string.format('%.0f', now), 'BYSCORE', 'LIMIT', 0, ARGV[1])
for _, id in ipairs(ids) do redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), id) end
return ids
`);

/** Has what is left of a workspace that is being deleted removed at `at`, ms since the epoch, whatever becomes of this process. */
export async function noteDeleted(redis: RedisConnection, workspaceId: string, at: number): Promise<void> {
  await redis.zadd(DELETED_WORKSPACES, Math.ceil(at), workspaceId);
}

/** Takes workspaces of which the rest is to be removed now; nobody else gets them for `leaseMs`. */
export async function takeDeleted(redis: RedisConnection, count: number, leaseMs: number): Promise<string[]> {
  return (await take.run(redis, [DELETED_WORKSPACES], [count, leaseMs])) as string[];
}

/** Forgets a workspace of which nothing is left. */
export async function forgetDeleted(redis: RedisConnection, workspaceId: string): Promise<void> {
  await redis.zrem(DELETED_WORKSPACES, workspaceId);
}
