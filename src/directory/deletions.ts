import { ID_PREFIXES } from '../ids.ts';
import { Problem } from '../problem.ts';
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

/** Sorted set: organization -> when its last turn of the eraser ended, ms since the epoch; only those of the last hour. */
const TURNS = directoryKey('deletions-turns');
const TURN_KEPT_MS = 3_600_000;
// The script that takes a deletion blocks Redis. So many steps take a millisecond.
const STEPS_MAX = 100;

const LEASE = directoryKey('deletions-lease');

// Each deletion takes time of a worker, and most are erased twice, a minute apart. The bound stops a tenant that creates and deletes in a
// loop from queueing ever more.
const PER_ORGANIZATION_MAX = 1_000;

// A deletion takes at least this long until everything is erased.
const DELETED_SECONDS = 60;
// So many tell well enough when the first of an organization's deletions are done.
const ASKED = 16;

const SCANNED_AT_ONCE = 500;

/** Sorted set, every score 0: the things of an organization that are being deleted. */
export function deletingKey(organizationId: string): string {
  return directoryKey(`deleting:organization:${organizationId}`);
}

/** Hash: ms since the epoch -> bytes that deleted workspaces of an organization keep until then: outcomes under Idempotency-Keys. */
export function remainsKey(organizationId: string): string {
  return directoryKey(`remains:organization:${organizationId}`);
}

/** Lua: `countRemains(remains, each)`: how many times `each` bytes an organization's deleted workspaces keep; 0 if `each` is 0. */
export const COUNT_REMAINS = `
local function countRemains(remains, each)
  if each == 0 then return 0 end
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local all, bytes = redis.call('HGETALL', remains), 0
  for i = 1, #all, 2 do
    if tonumber(all[i]) < now then redis.call('HDEL', remains, all[i]) else bytes = bytes + all[i + 1] end
  end
  return math.floor(bytes / each)
end
`;

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
 * KEYS 1 lease, 2 deletions, 3 due deletions, 4 turns
 * ARGV 1 holder, 2 duration of the lease (ms)
 * Result: nil if another holder has the lease, or if nothing is due, so that no one has it now; 0 to be asked again; otherwise the deletion
 *         that has been due longest since the last turn of its organization, the organization, and Redis' time (ms)
 */
const take = new Script(`#!lua flags=allow-oom
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return nil end
for _ = 1, ${STEPS_MAX} do
  local id, due = unpack(redis.call('ZRANGE', KEYS[3], '-inf', now, 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES'))
  if not id then
    redis.call('DEL', KEYS[1])
    return nil
  end
  local deletion = redis.call('HGET', KEYS[2], id)
  if deletion then
    local record = cjson.decode(deletion).record
    local organization = record.organizationId or record.id
    -- Another server, whose clock was ahead, may have recorded the turn.
    local turn = math.min(redis.call('ZSCORE', KEYS[4], organization) or 0, now)
    if turn <= tonumber(due) then
      redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
      return {deletion, organization, now}
    end
    -- Behind those of organizations that have waited since.
    redis.call('ZADD', KEYS[3], string.format('%.0f', turn), id)
  else
    redis.call('ZREM', KEYS[3], id)
  end
end
return 0
`);

/**
 * KEYS 1 turns
 * ARGV 1 organization
 * Result: 1
 */
const endTurn = new Script(`#!lua flags=allow-oom
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - ${TURN_KEPT_MS}))
return 1
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

/**
 * KEYS 1 remains of the organization, 2 whether these were added
 * ARGV when bytes expire (ms since the epoch), their number, and so on
 * Result: 1
 */
const addToRemains = new Script(`#!lua flags=allow-oom
local last = 0
for i = 1, #ARGV, 2 do last = math.max(last, ARGV[i]) end
last = string.format('%.0f', last)
-- A script that is sent again after the connection was cut finds that it has run.
if not redis.call('SET', KEYS[2], 1, 'NX', 'PXAT', last) then return 1 end
for i = 1, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('PEXPIREAT', KEYS[1], last, 'NX')
redis.call('PEXPIREAT', KEYS[1], last, 'GT')
return 1
`);

/**
 * KEYS 1 deletions of the organization, 2 deletions
 * ARGV 1 how many
 * Result: Redis' time, then when some deletions of the organization are over (ms since the epoch)
 */
const findOpen = new Script(`
local time = redis.call('TIME')
local found = {string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))}
for _, id in ipairs(redis.call('ZRANDMEMBER', KEYS[1], ARGV[1])) do
  local deletion = redis.call('HGET', KEYS[2], id)
  if deletion then found[#found + 1] = string.format('%.0f', cjson.decode(deletion).overAt) end
end
return found
`);

/**
 * Adds what a deleted workspace keeps to the remains of its organization, as pairs of when bytes expire and their number. Idempotent: what a
 * pass over the workspace has found is added once, whoever adds it.
 */
export async function addRemains(
  redis: RedisConnection,
  organizationId: string,
  pass: string,
  parts: [expiresAt: string, bytes: string][],
): Promise<void> {
  const keys = [remainsKey(organizationId), directoryKey(`remains:added:${pass}`)];
  if (parts.length > 0) await addToRemains.run(redis, keys, parts.flat());
}

/**
 * Takes the deletion that has been due longest since the last turn of its organization, and the lease for `leaseMs`. Null if another process
 * has the lease, or if nothing is due: then the lease is given back.
 */
export async function takeDeletion(
  redis: RedisConnection,
  holder: string,
  leaseMs: number,
): Promise<{ deletion: Deletion; organizationId: string; now: number } | null> {
  const taken = await take.run(redis, [LEASE, DELETIONS, DELETIONS_DUE, TURNS], [holder, leaseMs]);
  if (taken === null) return null;
  if (taken === 0) return takeDeletion(redis, holder, leaseMs);
  const [text, organizationId, now] = taken as [string, string, string];
  return { deletion: JSON.parse(text) as Deletion, organizationId, now: Number(now) };
}

/** Lets all other organizations whose deletions are due go before this one. */
export async function endDeletionTurn(redis: RedisConnection, organizationId: string): Promise<void> {
  await endTurn.run(redis, [TURNS], [organizationId]);
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

/** The problem of a record that is created while too much of its organization is being deleted. */
export async function tooManyDeletions(redis: RedisConnection, organizationId: string): Promise<Problem> {
  const found = (await findOpen.run(redis, [deletingKey(organizationId), DELETIONS], [ASKED])) as string[];
  const [now = 0, ...overAt] = found.map(Number);
  const seconds = overAt.length === 0 ? 0 : Math.ceil((Math.min(...overAt) - now) / 1000);
  const detail = 'Too much of the organization is being deleted: create more when that is done.';
  const headers = { 'retry-after': String(Math.max(DELETED_SECONDS, seconds)) };
  return new Problem('rate_limited', { detail, headers });
}

/** How many deletions are not done yet. */
export function countDeletions(redis: RedisConnection): Promise<number> {
  return redis.hlen(DELETIONS);
}

/** The ids of the organizations that are being deleted. */
export async function listGoneOrganizations(redis: RedisConnection): Promise<string[]> {
  const match = `${ID_PREFIXES.organization}_*`;
  const ids: string[] = [];
  for (let cursor = '0'; ; ) {
    const [next, found] = await redis.hscan(DELETIONS, cursor, 'MATCH', match, 'COUNT', SCANNED_AT_ONCE);
    ids.push(...found.filter((_, i) => i % 2 === 0));
    if (next === '0') return ids;
    cursor = next;
  }
}

/** Returns those of the ids that are being deleted. */
export async function findGone(redis: RedisConnection, ids: readonly string[]): Promise<Set<string>> {
  const found = ids.length === 0 ? [] : await redis.hmget(DELETIONS, ...ids);
  return new Set(ids.filter((_, i) => found[i] !== null));
}
