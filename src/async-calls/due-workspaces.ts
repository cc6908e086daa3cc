import type { View } from '../directory/collections.ts';
import { listGoneOrganizations } from '../directory/deletions.ts';
import { viewKey } from '../directory/records.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { directoryKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';

/**
 * Sorted sets: id of a workspace -> when it is due, in ms since the epoch. A score with a fraction is the end of a lease: a process has taken
 * the workspace until then, and nobody has marked it due since. The first set holds workspaces with async calls, the second those with work
 * that the driver has to do later.
 */
const DUE_WORKSPACES = directoryKey('async-workspaces');
export const DRIVER_WORK = directoryKey('driver-work');

const SCANNED_AT_ONCE = 200;

/**
 * KEYS  1 due workspaces
 * ARGV  1 how many at most, 2 length of the lease (ms)
 * Result when the lease ends, then the ids
 */
const take = new Script(`#!lua flags=allow-oom
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ids = redis.call('ZRANGE', KEYS[1], '-inf', string.format('%.0f', now), 'BYSCORE', 'LIMIT', 0, ARGV[1])
-- The microseconds tell the lease from one that another process gets in the same millisecond, after somebody has marked the workspace due.
local until_ = string.format('%.0f.%03.0f5', now + ARGV[2], time[2] % 1000)
for _, id in ipairs(ids) do redis.call('ZADD', KEYS[1], until_, id) end
return {until_, unpack(ids)}
`);

/**
 * KEYS  1 due workspaces
 * ARGV  1 id, 2 when it is due
 * Result 1
 */
const mark = new Script(`#!lua flags=allow-oom
local known = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or ARGV[2])
redis.call('ZADD', KEYS[1], string.format('%.0f', math.floor(math.min(known, ARGV[2]))), ARGV[1])
return 1
`);

/**
 * KEYS  1 due workspaces
 * ARGV  1 id, 2 when its lease ends, 3 when it is due next, or ''
 * Result 1
 */
const release = new Script(`#!lua flags=allow-oom
local score = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or '')
local isHeld = score == tonumber(ARGV[2])
if ARGV[3] == '' then
  if isHeld then redis.call('ZREM', KEYS[1], ARGV[1]) end
-- Or it was marked due meanwhile, for later, and nobody has taken it since.
elseif isHeld or (score and score % 1 == 0 and score > tonumber(ARGV[3])) then redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1]) end
return 1
`);

/** The ids of a view's workspaces that have async calls. */
export async function listWorkspacesWithCalls(redis: RedisConnection, view: View): Promise<string[]> {
  const ids = await redis.zinter(2, [DUE_WORKSPACES, viewKey('workspaces', view)]);
  if (view !== 'all') return ids;
  // Those of a deleted organization stay in the view of all until the eraser comes to them.
  const gone = (await listGoneOrganizations(redis)).map((id) => viewKey('workspaces', `organization:${id}`));
  const erased = new Set(gone.length === 0 ? [] : await redis.zunion(gone.length, gone));
  return ids.filter((id) => !erased.has(id));
}

/** The ids of all workspaces that have async calls, some at a time. */
export async function* scanWorkspacesWithCalls(redis: RedisConnection): AsyncGenerator<string[]> {
  for (let cursor = '0'; ; ) {
    const [next, found] = await redis.zscan(DUE_WORKSPACES, cursor, 'COUNT', SCANNED_AT_ONCE);
    yield found.filter((_, i) => i % 2 === 0);
    if (next === '0') return;
    cursor = next;
  }
}

/** Makes a workspace due at `at` (ms since the epoch), if it is not due earlier. */
export async function markDue(
  redis: RedisConnection,
  workspaceId: string,
  at: number,
  list = DUE_WORKSPACES,
): Promise<void> {
  await mark.run(redis, [list], [workspaceId, Math.ceil(at)]);
}

/** Whether a workspace is in a list, due or not: by default in that of workspaces with async calls. */
export async function isMarkedDue(
  redis: RedisConnection,
  workspaceId: string,
  list = DUE_WORKSPACES,
): Promise<boolean> {
  return (await redis.zscore(list, workspaceId)) !== null;
}

/** Leases workspaces that are due. No other process gets them before `until`, unless `markDue` makes them due again. */
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
 * Ends the lease of a workspace: it is due again at `next`, or removed if that is null. One that was marked due meanwhile stays so, and is due
 * at `next` if that is earlier. Has no effect if another process has taken it since.
 */
export async function releaseWorkspace(
  redis: RedisConnection,
  workspaceId: string,
  until: number,
  next: number | null,
  list = DUE_WORKSPACES,
): Promise<void> {
  await release.run(redis, [list], [workspaceId, until, next === null ? '' : Math.ceil(next)]);
}

/** Removes a deleted workspace from both sets. */
export async function forgetDue(redis: RedisConnection, workspaceId: string): Promise<void> {
  await Promise.all([DUE_WORKSPACES, DRIVER_WORK].map((list) => redis.zrem(list, workspaceId)));
}
