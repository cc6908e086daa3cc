import type { RedisConnection } from '../../src/redis/connections.ts';
import { workspaceLeasesKey } from '../../src/redis/keys.ts';
import { Script } from '../../src/redis/script.ts';
import { type LineOwner, lineKey } from '../../src/webhooks/line-keys.ts';

/** The most deliveries to one webhook at once. */
export const LEASES_PER_WEBHOOK = 8;

/** The most deliveries to all webhooks of a workspace at once, so that receivers that hang do not affect other workspaces. */
const LEASES_PER_WORKSPACE = 16;

/** How long unused leases and their waiters are kept. */
export const FORGET_LEASES_MS = 600_000;

// The expiry of a lease has a fraction of a millisecond that identifies the holder; a double can hold this many fractions in addition to
// milliseconds until 2109. A renewed lease keeps its fraction: a command that is resent after a lost connection finds its own lease,
// whatever its first execution did.
const HOLDERS = 2_048;

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * KEYS 1 leases and 2 waiters of the webhook, 3 leases and 4 waiters of its workspace
 * ARGV 1 name of the lease, 2 its name in the workspace, 3 duration (ms), 4 most leases of a webhook, 5 of a workspace,
 *      6 how long unused keys are kept (ms)
 * Result: when the lease expires, later than for any former holder and with another fraction; 0 if none is free: then it waits for one.
 */
export const takeScript = new Script(`${NOW}
local function expire(key) redis.call('PEXPIRE', key, ARGV[6]) end
local function wait(waiters, name)
  redis.call('ZADD', waiters, 'NX', now, name)
  expire(waiters)
  return 0
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
local held = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not held then
  if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then return wait(KEYS[2], ARGV[1]) end
  if redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[5]) then return wait(KEYS[4], ARGV[2]) end
end
held = tonumber(held) or 0
local holder = now % ${HOLDERS} / ${HOLDERS}
if holder == held % 1 then holder = (holder + 1 / ${HOLDERS}) % 1 end
local until_ = math.max(now + ARGV[3], math.floor(held) + 1) + holder
redis.call('ZADD', KEYS[1], until_, ARGV[1])
redis.call('ZADD', KEYS[3], until_, ARGV[2])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[4], ARGV[2])
expire(KEYS[1])
expire(KEYS[3])
return string.format('%.17g', until_)
`);

/** Lua: `lineUp(name)` has something wait for a lease, `start(list)` adds to a list those that may take one now. Needs `leases` and `waiters`. */
export const LINE_UP = `${NOW}
local function lineUp(name)
  if not redis.call('ZSCORE', leases, name) then redis.call('ZADD', waiters, 'NX', now, name) end
end
local function start(list)
  redis.call('PEXPIRE', waiters, ${FORGET_LEASES_MS})
  redis.call('ZREMRANGEBYSCORE', leases, '-inf', now)
  local free = ${LEASES_PER_WEBHOOK} - redis.call('ZCARD', leases)
  if free <= 0 then return list end
  local first = redis.call('ZPOPMIN', waiters, free)
  for i = 1, #first, 2 do list[#list + 1] = first[i] end
  return list
end
`;

/**
 * KEYS 1 leases and 2 waiters of the webhook, 3 its holds, 4 its state
 * ARGV 1 now, then lines
 * Result: the names that may take a lease now. A line that is held, or whose receiver has asked for a pause, is left to the job of its
 *      retry, or to the sweep.
 */
export const lineUpScript = new Script(`
local leases, waiters = KEYS[1], KEYS[2]
${LINE_UP}
local isPaused = tonumber(redis.call('HGET', KEYS[4], 'pausedUntil') or 0) > tonumber(ARGV[1])
for i = 2, isPaused and 1 or #ARGV do
  if tonumber(redis.call('ZSCORE', KEYS[3], ARGV[i]) or 0) <= tonumber(ARGV[1]) then lineUp(ARGV[i]) end
end
return start({})
`);

/**
 * KEYS 1 leases of the webhook, 2 of its workspace
 * ARGV 1 name of the lease, 2 its name in the workspace, 3 its former expiry, 4 duration from now on (ms), 5 how long unused keys are kept (ms)
 * Result: when the lease expires now, or 0 if it has expired or another holds it.
 */
export const renewScript = new Script(`${NOW}
local held = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or 0)
if held <= now or held % 1 ~= ARGV[3] % 1 then return 0 end
local until_ = math.max(now + ARGV[4], math.floor(held)) + held % 1
redis.call('ZADD', KEYS[1], until_, ARGV[1])
redis.call('ZADD', KEYS[2], until_, ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('PEXPIRE', KEYS[2], ARGV[5])
return string.format('%.17g', until_)
`);

/**
 * KEYS 1 leases and 2 waiters of the webhook, 3 leases and 4 waiters of its workspace, 5 state of the webhook
 * ARGV 1 name of the lease, 2 its name in the workspace, 3 its former expiry
 * Result: '', '' and 0 if another holds the lease by now, which is not changed; else the longest waiter of the webhook or '', that of its
 *      workspace or '', and 1 if more is due at the webhook than waits.
 */
export const releaseScript = new Script(`
local held = redis.call('ZSCORE', KEYS[1], ARGV[1])
if held and held % 1 ~= ARGV[3] % 1 then return {'', '', 0} end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[2])
local here = redis.call('ZPOPMIN', KEYS[2])[1]
local isMore = not here and redis.call('HDEL', KEYS[5], 'unlisted') or 0
return {here or '', redis.call('ZPOPMIN', KEYS[4])[1] or '', isMore}
`);

/** A line or a delivery of a webhook that waits for a lease. */
export interface LeaseWaiter {
  webhookId: string;
  name: string;
}

/**
 * The right to send a line or a delivery of a webhook until a time (ms since the epoch, by Redis' clock; the fraction identifies the
 * holder).
 */
export interface Lease {
  owner: LineOwner;
  name: string;
  until: number;
}

/** Takes one of the leases for concurrent deliveries, for `ms`; null if none is free. The name is the line or the delivery. */
export async function takeLease(
  redis: RedisConnection,
  owner: LineOwner,
  name: string,
  ms: number,
): Promise<Lease | null> {
  const args = [
    name,
    inWorkspace(owner, name),
    ms,
    LEASES_PER_WEBHOOK,
    LEASES_PER_WORKSPACE,
    FORGET_LEASES_MS,
  ];
  const until = Number(await takeScript.run(redis, keysOf(owner), args));
  return until === 0 ? null : { owner, name, until };
}

/** Lets lines that are due wait for leases of their webhook. Returns the names that may take one now, including earlier waiters. */
export async function lineUp(
  redis: RedisConnection,
  owner: LineOwner,
  lines: readonly string[],
): Promise<string[]> {
  const [leases, waiters] = keysOf(owner);
  const keys = [leases, waiters, lineKey(owner, 'holds'), lineKey(owner, 'state')];
  return (await lineUpScript.run(redis, keys, [Date.now(), ...lines])) as string[];
}

/** Extends a lease to `ms` from now; false if it has expired, and another process may have it. */
export async function renewLease(redis: RedisConnection, lease: Lease, ms: number): Promise<boolean> {
  const { owner, name } = lease;
  const [leases, , workspaceLeases] = keysOf(owner);
  const args = [name, inWorkspace(owner, name), lease.until, ms, FORGET_LEASES_MS];
  const until = Number(await renewScript.run(redis, [leases, workspaceLeases], args));
  if (until === 0) return false;
  lease.until = until;
  return true;
}

/**
 * Gives a lease back, unless another process has it by now. Returns the waiters that may try to take it: the longest one of the webhook,
 * and of its workspace. `isMoreDue` says that a survey has to list more.
 */
export async function releaseLease(
  redis: RedisConnection,
  { owner, name, until }: Lease,
): Promise<{ waiters: LeaseWaiter[]; isMoreDue: boolean }> {
  const keys = [...keysOf(owner), lineKey(owner, 'state')];
  const found = await releaseScript.run(redis, keys, [name, inWorkspace(owner, name), until]);
  const [here, elsewhere, isMore] = found as [string, string, number];
  const [webhookId = '', other = ''] = elsewhere.split(' ');
  const waiters = [
    ...(here === '' ? [] : [{ webhookId: owner.id, name: here }]),
    ...(elsewhere === '' ? [] : [{ webhookId, name: other }]),
  ];
  return { waiters, isMoreDue: isMore === 1 };
}

/** The number of waiters for a lease if it is one of them, else 0. */
export async function countLeaseWaiters(
  redis: RedisConnection,
  owner: LineOwner,
  name: string,
): Promise<number> {
  const [, waiters, , workspaceWaiters] = keysOf(owner);
  const [here, elsewhere] = await Promise.all([
    redis.zscore(waiters, name),
    redis.zscore(workspaceWaiters, inWorkspace(owner, name)),
  ]);
  if (here === null && elsewhere === null) return 0;
  const counts = await Promise.all([redis.zcard(waiters), redis.zcard(workspaceWaiters)]);
  return Math.max(1, ...counts);
}

function inWorkspace({ id }: LineOwner, name: string): string {
  return `${id} ${name}`;
}

function keysOf(owner: LineOwner): [string, string, string, string] {
  const { workspaceId } = owner;
  return [
    lineKey(owner, 'places'),
    lineKey(owner, 'crowd'),
    workspaceLeasesKey(workspaceId, 'places'),
    workspaceLeasesKey(workspaceId, 'crowd'),
  ];
}
