import type { RedisConnection } from '../redis/connections.ts';
import { directoryKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import type { Collection, Records } from './collections.ts';

/**
 * Hash: id of what is being deleted -> the deletion as JSON. While the entry exists, everything that belongs to that id counts as
 * gone. The entry is removed once all of it has been erased.
 */
export const DELETIONS = directoryKey('deletions');

/** Sorted set: id of what is being deleted -> when to erase its remains, ms since the epoch. */
export const DELETIONS_DUE = directoryKey('deletions-due');

const LEASE = directoryKey('deletions-lease');

// Each deletion takes time of a worker, and most are erased twice, a minute apart. The bound stops a tenant that creates and deletes in a
// loop from queueing ever more.
const PER_ORGANIZATION_MAX = 1_000;

/** Sorted set, every score 0: the things of an organization that are being deleted. */
export function deletingKey(organizationId: string): string {
  return directoryKey(`deleting:organization:${organizationId}`);
}

/** Lua: `hasTooMany(deleting)`: whether an organization may create nothing new because too many of its things are being deleted. */
export const HAS_TOO_MANY = `
local function hasTooMany(deleting) return redis.call('ZCARD', deleting) >= ${PER_ORGANIZATION_MAX} end
`;

/** A thing whose record is gone, and which has others below it, has data, or has to be disconnected from its driver. */
export type Deletion = {
  [C in Collection]: {
    collection: C;
    record: Records[C];
    /** When no call in flight can add data any more, ms since the epoch by Redis' clock. */
    overAt: number;
  };
}[Collection];

/** Lua: `isGone(deletions, id…)`: whether one of the ids is being deleted. Values that are not text are ignored. */
export const IS_GONE = `
local function isGone(deletions, ...)
  for i = 1, select('#', ...) do
    local id = select(i, ...)
    if type(id) == 'string' and redis.call('HEXISTS', deletions, id) == 1 then return true end
  end
  return false
end
`;

// The scripts below may run when Redis' memory is full, because deletions free memory.

/**
 * KEYS 1 lease, 2 deletions, 3 due deletions
 * ARGV 1 holder, 2 duration of the lease (ms)
 * Result: nil if another holder has the lease or nothing is due; otherwise the deletion that has been due longest and Redis' time (ms)
 */
const take = new Script(`#!lua flags=allow-oom
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local id = redis.call('ZRANGE', KEYS[3], '-inf', now, 'BYSCORE', 'LIMIT', 0, 1)[1]
if not id then return nil end
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return nil end
local deletion = redis.call('HGET', KEYS[2], id)
if not deletion then
  redis.call('ZREM', KEYS[3], id)
  return nil
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return {deletion, now}
`);

/**
 * KEYS 1 lease
 * ARGV 1 holder, 2 duration of the lease from now on (ms), 0 to give it back
 * Result: 1, or 0 if the holder has lost it
 */
const keep = new Script(`#!lua flags=allow-oom
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[2] == '0' then redis.call('DEL', KEYS[1]) else redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 1
`);

/**
 * KEYS 1 due deletions
 * ARGV 1 id, 2 when it is due (ms)
 * Result: 1
 */
const postpone = new Script(`#!lua flags=allow-oom
redis.call('ZADD', KEYS[1], 'XX', ARGV[2], ARGV[1])
return 1
`);

/** Takes the deletion that has been due longest, and the lease for `leaseMs`; null if another process has the lease. */
export async function takeDeletion(
  redis: RedisConnection,
  holder: string,
  leaseMs: number,
): Promise<{ deletion: Deletion; now: number } | null> {
  const taken = await take.run(redis, [LEASE, DELETIONS, DELETIONS_DUE], [holder, leaseMs]);
  if (taken === null) return null;
  const [text, now] = taken as [string, string];
  return { deletion: JSON.parse(text) as Deletion, now: Number(now) };
}

/** Renews the lease for `leaseMs`, or gives it back with 0. False if it is lost. */
export async function renewDeletionLease(
  redis: RedisConnection,
  holder: string,
  leaseMs: number,
): Promise<boolean> {
  return (await keep.run(redis, [LEASE], [holder, leaseMs])) === 1;
}

/** Makes a deletion due again at `at`, ms since the epoch. */
export async function postponeDeletion(redis: RedisConnection, id: string, at: number): Promise<void> {
  await postpone.run(redis, [DELETIONS_DUE], [id, Math.ceil(at)]);
}

/** Removes a deletion whose data have all been erased. */
export async function forgetDeletion(
  redis: RedisConnection,
  { collection, record }: Deletion,
): Promise<void> {
  const { id } = record;
  await redis.zrem(deletingKey(collection === 'organizations' ? id : record.organizationId), id);
  // In this order: `takeDeletion` drops an entry that is only due.
  await redis.hdel(DELETIONS, id);
  await redis.zrem(DELETIONS_DUE, id);
}

/** How many deletions are not done yet. */
export function countDeletions(redis: RedisConnection): Promise<number> {
  return redis.hlen(DELETIONS);
}

/** Returns those of the ids that are being deleted. */
export async function findGone(redis: RedisConnection, ids: readonly string[]): Promise<Set<string>> {
  const found = ids.length === 0 ? [] : await redis.hmget(DELETIONS, ...ids);
  return new Set(ids.filter((_, i) => found[i] !== null));
}
