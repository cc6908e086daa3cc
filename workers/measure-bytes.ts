import { randomBytes } from 'node:crypto';
import { byteKeys, bytesMaxOf } from '../src/bytes/byte-budget.ts';
import { COUNT_BYTES } from '../src/bytes/count-bytes.ts';
import type { RedisConnection } from '../src/redis/connections.ts';
import { bytesKey, floorKey, keyIndexKey, slotsKey, updatesKey } from '../src/redis/keys.ts';
import { Script } from '../src/redis/script.ts';
import { iterateStateKeys } from '../src/state/workspace-keys.ts';
import { lineKeys } from '../src/webhooks/line-keys.ts';
import { openPace } from './deletion/slices.ts';
import { listWorkspaceWebhooks } from './delivery/workspace-webhooks.ts';

/** Least age (ms) of the last measurement of a workspace that is not nearly full. */
export const EVERY_MS = 60_000;
// A workspace that is nearly full may have freed something.
const SOON_MS = 5_000;
const NEARLY = 0.9;

// The measuring process renews its lease with every slice. When the lease has expired, another process may start.
const LEASE_MS = 10_000;
const AT_ONCE = 200;
// The pause after a slice, and after the measurement of a workspace, as a multiple of the time taken.
const REST_OF_SLICE = 4;
const REST_OF_WORKSPACE = 20;

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * KEYS  1 heads, 2 the workspace's bytes
 * ARGV  1 workspace, 2 least age of the last measurement (ms), 3 the same for a nearly full workspace, 4 the part of the budget that counts
 *       as nearly full, 5 byte budget of a workspace that has none of its own (0: unlimited), 6 measurer, 7 its lease (ms)
 * Result nil if the workspace was measured recently, is being measured, or must rest after a long measurement; else the counted bytes
 *       without those that expire and those of async calls
 */
const begin = new Script(`#!lua flags=allow-oom
${COUNT_BYTES}${NOW}
local last = redis.call('HMGET', KEYS[2], 'measuredAt', 'measuredFor', 'measuringTill')
local ago, leased = now - (tonumber(last[1]) or 0), (tonumber(last[3]) or 0) - now
-- If the clock was set back, times before that are ahead of it.
if ago < 0 then ago = math.huge end
if leased > 0 and leased <= tonumber(ARGV[7]) then return nil end
if ago < math.max(ARGV[3], ${REST_OF_WORKSPACE} * (tonumber(last[2]) or 0)) then return nil end
local used, left = lapseBytes(KEYS[1], KEYS[2], ARGV[1])
local most = tonumber(redis.call('HGET', KEYS[1], ARGV[1] .. ':max') or ARGV[5])
if ago < tonumber(ARGV[2]) and (most == 0 or used < most * ARGV[4]) then return nil end
redis.call('HSET', KEYS[2], 'measuredAt', string.format('%.0f', now), 'measurer', ARGV[6],
  'measuringTill', string.format('%.0f', now + ARGV[7]))
return used - left
`);

/**
 * KEYS  1 the workspace's bytes, then keys of the workspace
 * ARGV  1 measurer, 2 its lease (ms)
 * Result bytes that the keys take; nil if another process measures by now, or the workspace was erased
 */
const weigh = new Script(`#!lua flags=allow-oom
if redis.call('HGET', KEYS[1], 'measurer') ~= ARGV[1] then return nil end
${NOW}
redis.call('HSET', KEYS[1], 'measuringTill', string.format('%.0f', now + ARGV[2]))
local bytes = 0
for i = 2, #KEYS do bytes = bytes + (redis.call('MEMORY', 'USAGE', KEYS[i]) or 0) end
return bytes
`);

/**
 * KEYS  1 heads, 2 the workspace's bytes
 * ARGV  1 workspace, 2 result of `begin`, 3 bytes measured, 4 measurer, 5 how long that took (ms)
 * Result the new count: the bytes measured, those added meanwhile, those that expire and those of async calls; nil as for `weigh`
 */
const conclude = new Script(`#!lua flags=allow-oom
if redis.call('HGET', KEYS[2], 'measurer') ~= ARGV[4] then return nil end
${COUNT_BYTES}
local used, left = lapseBytes(KEYS[1], KEYS[2], ARGV[1])
local bytes = ARGV[3] + left + math.max(0, used - left - ARGV[2])
redis.call('HSET', KEYS[1], ARGV[1] .. ':used', string.format('%.0f', bytes))
redis.call('HSET', KEYS[2], 'measuredFor', ARGV[5])
redis.call('HDEL', KEYS[2], 'measurer', 'measuringTill')
return bytes
`);

/**
 * Measures the bytes that a workspace keeps, a few keys at a time with pauses, to correct the drift of the commits' count. Skipped if
 * another process is measuring or has measured within `everyMs` (five seconds in a nearly full workspace), or if the last measurement
 * took longer than a twentieth of the time since. Returns the bytes, or null if skipped.
 */
export async function measureBytes(
  redis: RedisConnection,
  workspaceId: string,
  { everyMs = EVERY_MS, soonMs = SOON_MS, mayGoOn = (): boolean => true } = {},
): Promise<number | null> {
  const keys = byteKeys(redis, workspaceId);
  const measurer = randomBytes(9).toString('base64url');
  const args = [workspaceId, everyMs, soonMs, NEARLY, bytesMaxOf(redis), measurer, LEASE_MS];
  const beganAt = performance.now();
  const before = (await begin.run(redis, keys, args)) as number | null;
  if (before === null) return null;
  const pace = openPace(async () => mayGoOn(), REST_OF_SLICE);
  let found = 0;
  for await (const some of iterateKeys(redis, workspaceId)) {
    for (let from = 0; from < some.length; from += AT_ONCE) {
      const startedAt = performance.now();
      const slice = [bytesKey(workspaceId), ...some.slice(from, from + AT_ONCE)];
      const bytes = (await weigh.run(redis, slice, [measurer, LEASE_MS])) as number | null;
      if (bytes === null) return null;
      found += bytes;
      await pace.rest(startedAt);
    }
  }
  const tookMs = Math.round(performance.now() - beganAt);
  return (await conclude.run(redis, keys, [workspaceId, before, found, measurer, tookMs])) as number | null;
}

async function* iterateKeys(redis: RedisConnection, workspaceId: string): AsyncGenerator<string[]> {
  yield [updatesKey, floorKey, slotsKey, keyIndexKey].map((toKey) => toKey(workspaceId));
  for (const webhook of await listWorkspaceWebhooks(redis, workspaceId)) yield lineKeys(webhook);
  yield* iterateStateKeys(redis, workspaceId);
}
