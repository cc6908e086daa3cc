import type { View } from '../directory/collections.ts';
import { viewKey } from '../directory/records.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { directoryKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';

/**
 * Sorted sets: id of a workspace -> when to look at it next. Half a millisecond more says that someone looks at it until then, and that
 * nothing has been noted meanwhile. The first is of workspaces that keep async calls, the second of those with something that a driver
 * is to do later.
 */
const DUE_WORKSPACES = directoryKey('async-workspaces');
export const DRIVER_WORK = directoryKey('driver-work');

const SCANNED_AT_ONCE = 200;

/**
 * KEYS  1 due workspaces
 * ARGV  1 how many at most, 2 how long in ms they are left to the process that takes them
 * Result when that ends, then the ids
 */
const take = new Script(`#!lua flags=allow-oom
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ids = redis.call('ZRANGE', KEYS[1], '-inf', string.format('%.0f', now), 'BYSCORE', 'LIMIT', 0, ARGV[1])
local until_ = string.format('%.0f.5', now + ARGV[2])
for _, id in ipairs(ids) do redis.call('ZADD', KEYS[1], until_, id) end
return {until_, unpack(ids)}
`);

/**
 * KEYS  1 due workspaces
 * ARGV  1 id, 2 when to look at it
 * Result 1
 */
const note = new Script(`#!lua flags=allow-oom
local known = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or ARGV[2])
redis.call('ZADD', KEYS[1], string.format('%.0f', math.floor(math.min(known, ARGV[2]))), ARGV[1])
return 1
`);

/**
 * KEYS  1 due workspaces
 * ARGV  1 id, 2 until when it was left to the one who took it, 3 when to look at it next or ''
 * Result 1, or 0 when someone has noted something meanwhile; then nothing was changed
 */
const conclude = new Script(`#!lua flags=allow-oom
if tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or -1) ~= tonumber(ARGV[2]) then return 0 end
if ARGV[3] == '' then redis.call('ZREM', KEYS[1], ARGV[1])
else redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1]) end
return 1
`);

/** The ids of the workspaces of a view that keep async calls. */
export async function listWorkspacesWithCalls(redis: RedisConnection, view: View): Promise<string[]> {
  return redis.zinter(2, [DUE_WORKSPACES, viewKey('workspaces', view)]);
}

/** The ids of all workspaces that keep async calls, some at a time. */
export async function* scanWorkspacesWithCalls(redis: RedisConnection): AsyncGenerator<string[]> {
  for (let cursor = '0'; ; ) {
    const [next, found] = await redis.zscan(DUE_WORKSPACES, cursor, 'COUNT', SCANNED_AT_ONCE);
    yield found.filter((_, i) => i % 2 === 0);
    if (next === '0') return;
    cursor = next;
  }
}

/** Has a workspace looked at no later than `at`. */
export async function noteDue(
  redis: RedisConnection,
  workspaceId: string,
  at: number,
  list = DUE_WORKSPACES,
): Promise<void> {
  await note.run(redis, [list], [workspaceId, Math.ceil(at)]);
}

/** Takes workspaces that are due; nobody else gets them until `until`, unless `noteDue` says so. */
export async function takeDueWorkspaces(
  redis: RedisConnection,
  count: number,
  leaseMs: number,
  list = DUE_WORKSPACES,
): Promise<{ until: number; ids: string[] }> {
  const [until = '0', ...ids] = (await take.run(redis, [list], [count, leaseMs])) as string[];
  return { until: Number(until), ids };
}

/**
 * Leaves a workspace that was taken `until` then alone until `next`, or forgets it when that is null, unless it has got something
 * meanwhile.
 */
export async function concludeLook(
  redis: RedisConnection,
  workspaceId: string,
  until: number,
  next: number | null,
  list = DUE_WORKSPACES,
): Promise<void> {
  await conclude.run(redis, [list], [workspaceId, until, next === null ? '' : Math.ceil(next)]);
}

/** Forgets a workspace that has been deleted. */
export async function forgetDue(redis: RedisConnection, workspaceId: string): Promise<void> {
  await Promise.all([DUE_WORKSPACES, DRIVER_WORK].map((list) => redis.zrem(list, workspaceId)));
}
