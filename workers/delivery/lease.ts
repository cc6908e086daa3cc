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

// A freed lease is kept for so long for the waiter that it is offered to, by an entry in the workspace's leases. Otherwise another could
// take it first, and the waiter would begin to wait anew. Its job mostly runs at once.
const OFFER_MS = 2_000;

// The expiry of a lease has a fraction of a millisecond that identifies the holder; a double can hold this many fractions in addition to
// milliseconds until 2109. A renewed lease keeps its fraction: a command that is resent after a lost connection finds its own lease,
// whatever its first execution did.
const HOLDERS = 2_048;

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * KEYS 1 leases and 2 waiters of the webhook, 3 leases and 4 webhooks with waiters of its workspace
 * ARGV 1 name of the lease, 2 its name in the workspace, 3 duration (ms), 4 most leases of a webhook, 5 of a workspace,
 *      6 how long unused keys are kept (ms), 7 webhook
 * Result: when the lease expires, later than for any former holder and with another fraction; 0 if none is free or offered to it: then it
 *      waits for one.
 */
export const takeScript = new Script(`${NOW}
local function expire(key) redis.call('PEXPIRE', key, ARGV[6]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
local held = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not held then
  local isOffered = redis.call('ZSCORE', KEYS[3], ARGV[2])
  local isFull = not isOffered and redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[5])
  if isFull or redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then
    redis.call('ZREM', KEYS[3], ARGV[2])
    redis.call('ZADD', KEYS[2], 'NX', now, ARGV[1])
    redis.call('ZADD', KEYS[4], 'NX', now, ARGV[7])
    expire(KEYS[2])
    expire(KEYS[4])
    return 0
  end
end
held = tonumber(held) or 0
local holder = now % ${HOLDERS} / ${HOLDERS}
if holder == held % 1 then holder = (holder + 1 / ${HOLDERS}) % 1 end
local until_ = math.max(now + ARGV[3], math.floor(held) + 1) + holder
redis.call('ZADD', KEYS[1], until_, ARGV[1])
redis.call('ZADD', KEYS[3], until_, ARGV[2])
redis.call('ZREM', KEYS[2], ARGV[1])
expire(KEYS[1])
expire(KEYS[3])
return string.format('%.17g', until_)
`);

/**
 * Lua: `lineUp(name)` has something wait for a lease, `start(list)` adds to a list those that may take one now. Needs `leases` and
 * `waiters` of the `webhook`, and `workspaceLeases` and `webhooks` of its workspace.
 */
export const LINE_UP = `${NOW}
local function lineUp(name)
  if not redis.call('ZSCORE', leases, name) then redis.call('ZADD', waiters, 'NX', now, name) end
end
local function free(key, most)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
  return most - redis.call('ZCARD', key)
end
local function start(list)
  redis.call('PEXPIRE', waiters, ${FORGET_LEASES_MS})
  local count = math.min(free(leases, ${LEASES_PER_WEBHOOK}), free(workspaceLeases, ${LEASES_PER_WORKSPACE}))
  local first = count > 0 and redis.call('ZPOPMIN', waiters, count) or {}
  for i = 1, #first, 2 do list[#list + 1] = first[i] end
  if redis.call('EXISTS', waiters) == 1 then
    redis.call('ZADD', webhooks, 'NX', now, webhook)
    redis.call('PEXPIRE', webhooks, ${FORGET_LEASES_MS})
  end
  return list
end
`;

/**
 * KEYS 1 leases and 2 waiters of the webhook, 3 leases and 4 webhooks with waiters of its workspace, 5 holds and 6 state of the webhook
 * ARGV 1 now, 2 webhook, then lines
 * Result: the names that may take a lease now. A line that is held, or whose receiver has asked for a pause, is left to the job of its
 *      retry, or to the sweep.
 */
export const lineUpScript = new Script(`
local leases, waiters, workspaceLeases, webhooks, webhook = KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[2]
${LINE_UP}
local isPaused = tonumber(redis.call('HGET', KEYS[6], 'pausedUntil') or 0) > tonumber(ARGV[1])
for i = 3, isPaused and 2 or #ARGV do
  if tonumber(redis.call('ZSCORE', KEYS[5], ARGV[i]) or 0) <= tonumber(ARGV[1]) then lineUp(ARGV[i]) end
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
 * KEYS 1 leases and 2 waiters of the webhook, 3 leases and 4 webhooks with waiters of its workspace, 5 state of the webhook
 * ARGV 1 name of the lease, 2 its name in the workspace, 3 its former expiry, 4 webhook, 5 key of a webhook's waiters with `%s` for its id
 * Result: 0 if another holds the lease by now, which is not changed; else 1 if more is due at the webhook than waits, or 0; then the names
 *      in the workspace of the waiters to whom leases are offered.
 *
 * It also writes the waiters of other webhooks, which are in the same slot.
 */
export const releaseScript = new Script(`${NOW}
local held = redis.call('ZSCORE', KEYS[1], ARGV[1])
if held and held % 1 ~= ARGV[3] % 1 then return {0} end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
local isMore = 0
if redis.call('EXISTS', KEYS[2]) == 1 then redis.call('ZADD', KEYS[4], 'NX', now, ARGV[4])
else isMore = redis.call('HDEL', KEYS[5], 'unlisted') end
local total, leasesOf = 0, {}
local function count(name)
  local webhook = string.match(name, '^%S+')
  total = total + 1
  leasesOf[webhook] = (leasesOf[webhook] or 0) + 1
end
for _, name in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do count(name) end
local answer, webhooks = {isMore}, redis.call('ZRANGE', KEYS[4], 0, -1)
while total < ${LEASES_PER_WORKSPACE} do
  -- The webhook with the fewest, so that receivers that hang do not affect the others.
  local first, fewest = nil, ${LEASES_PER_WEBHOOK}
  for at, webhook in ipairs(webhooks) do
    local leases = leasesOf[webhook] or 0
    if leases < fewest then first, fewest = at, leases end
  end
  if not first then break end
  local webhook = webhooks[first]
  local waiter = redis.call('ZPOPMIN', string.format(ARGV[5], webhook))[1]
  local name = waiter and webhook .. ' ' .. waiter
  if not waiter then
    redis.call('ZREM', KEYS[4], webhook)
    table.remove(webhooks, first)
  -- One that was lined up again meanwhile may have an offer already.
  elseif redis.call('ZADD', KEYS[3], 'NX', now + ${OFFER_MS}, name) == 1 then
    -- Of several with as few, the others come first.
    redis.call('ZADD', KEYS[4], now, webhook)
    count(name)
    answer[#answer + 1] = name
  end
end
for _, key in ipairs({KEYS[3], KEYS[4]}) do redis.call('PEXPIRE', key, ${FORGET_LEASES_MS}) end
return answer
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
    owner.id,
  ];
  const until = Number(await takeScript.run(redis, leaseKeys(owner), args));
  return until === 0 ? null : { owner, name, until };
}

/** Lets lines that are due wait for leases of their webhook. Returns the names that may take one now, including earlier waiters. */
export async function lineUp(
  redis: RedisConnection,
  owner: LineOwner,
  lines: readonly string[],
): Promise<string[]> {
  const keys = [...leaseKeys(owner), lineKey(owner, 'holds'), lineKey(owner, 'state')];
  return (await lineUpScript.run(redis, keys, [Date.now(), owner.id, ...lines])) as string[];
}

/** Extends a lease to `ms` from now; false if it has expired, and another process may have it. */
export async function renewLease(redis: RedisConnection, lease: Lease, ms: number): Promise<boolean> {
  const { owner, name } = lease;
  const [leases, , workspaceLeases] = leaseKeys(owner);
  const args = [name, inWorkspace(owner, name), lease.until, ms, FORGET_LEASES_MS];
  const until = Number(await renewScript.run(redis, [leases, workspaceLeases], args));
  if (until === 0) return false;
  lease.until = until;
  return true;
}

/**
 * Gives a lease back, unless another process has it by now. Returns the waiters that may take it, and others that are free: the longest one
 * of the webhook of the workspace that has the fewest. `isMoreDue` says that a survey has to list more.
 */
export async function releaseLease(
  redis: RedisConnection,
  { owner, name, until }: Lease,
): Promise<{ waiters: LeaseWaiter[]; isMoreDue: boolean }> {
  const { id, workspaceId } = owner;
  const keys = [...leaseKeys(owner), lineKey(owner, 'state')];
  const waitersOf = lineKey({ id: '%s', workspaceId }, 'crowd');
  const found = await releaseScript.run(redis, keys, [name, inWorkspace(owner, name), until, id, waitersOf]);
  const [isMore, ...offered] = found as [number, ...string[]];
  const waiters = offered.map((each) => {
    const [webhookId = '', waiter = ''] = each.split(' ');
    return { webhookId, name: waiter };
  });
  return { waiters, isMoreDue: isMore === 1 };
}

/** About how many wait for a lease in the workspace if it is one of them, else 0. */
export async function countLeaseWaiters(
  redis: RedisConnection,
  owner: LineOwner,
  name: string,
): Promise<number> {
  const [, waiters, , webhooks] = leaseKeys(owner);
  if ((await redis.zscore(waiters, name)) === null) return 0;
  const [here, beside] = await Promise.all([redis.zcard(waiters), redis.zcard(webhooks)]);
  return Math.max(1, here) * Math.max(1, beside);
}

function inWorkspace({ id }: LineOwner, name: string): string {
  return `${id} ${name}`;
}

/** The leases and the waiters of a webhook, and the leases and the webhooks with waiters of its workspace. */
export function leaseKeys(owner: LineOwner): [string, string, string, string] {
  const { workspaceId } = owner;
  return [
    lineKey(owner, 'places'),
    lineKey(owner, 'crowd'),
    workspaceLeasesKey(workspaceId, 'places'),
    workspaceLeasesKey(workspaceId, 'webhooks'),
  ];
}
