import type { Webhook } from '../../src/directory/collections.ts';
import type { WebhookQueue } from '../../src/queue/webhook-queue.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import { Script } from '../../src/redis/script.ts';
import { lineKey } from '../../src/webhooks/line-keys.ts';
import { startDue } from './start-due.ts';

// A burst of pings, or of successes between failures, wakes a webhook at most this often.
const WAKE_EVERY_MS = 1_000;
// Where some lines succeed and others fail for good, these would be tried every second. So successes wake a webhook half as often each time,
// down to this, until a retry succeeds.
const WAKE_EVERY_MAX_MS = 300_000;
const RELEASED_AT_ONCE = 500;

/**
 * KEYS 1 state, 2 holds, 3 aside
 * ARGV 1 now, 2 how long after one wake the next may follow (ms), 3 the most that this grows to
 * Result: the number of deliveries put aside that are to be released, or -1 if it is too early: then the request stays recorded; then how
 *         often their release was asked for, or '' if it was not.
 */
export const begin = new Script(`
if redis.call('HEXISTS', KEYS[1], 'position') == 0 then return {0, ''} end
local last = tonumber(redis.call('HGET', KEYS[1], 'wokenAt')) or 0
local asked = redis.call('HGET', KEYS[1], 'wakeAside')
local wakes = asked and 0 or tonumber(redis.call('HGET', KEYS[1], 'wakes') or 0)
local rest = math.min(ARGV[2] * 2 ^ wakes, tonumber(ARGV[3]))
-- A script that is resent after the connection was cut finds its own time.
if last ~= tonumber(ARGV[1]) and math.abs(ARGV[1] - last) < rest then
  redis.call('HSET', KEYS[1], 'wake', 1)
  return {-1, ''}
end
if asked then redis.call('HDEL', KEYS[1], 'wakes') else redis.call('HINCRBY', KEYS[1], 'wakes', 1) end
-- A pause stays: the success that asked for this may have begun before its receiver asked to wait.
redis.call('HDEL', KEYS[1], 'wake')
redis.call('HSET', KEYS[1], 'wokenAt', ARGV[1])
redis.call('UNLINK', KEYS[2])
return {asked and redis.call('ZCOUNT', KEYS[3], '(' .. ARGV[1], '+inf') or 0, asked or ''}
`);

/**
 * KEYS 1 aside
 * ARGV 1 now, 2 how many
 * Result: how many deliveries were made due now, the earliest first.
 */
export const release = new Script(`
local ids = redis.call('ZRANGE', KEYS[1], '(' .. ARGV[1], '+inf', 'BYSCORE', 'LIMIT', 0, ARGV[2])
for _, id in ipairs(ids) do redis.call('ZADD', KEYS[1], ARGV[1], id) end
return #ids
`);

/**
 * KEYS 1 state
 * ARGV 1 how often the release of deliveries put aside was asked for when it began
 *
 * Only after the release: a worker that dies in it leaves the request to the next.
 */
export const endRelease = new Script(`
if redis.call('HGET', KEYS[1], 'wakeAside') == ARGV[1] then redis.call('HDEL', KEYS[1], 'wakeAside') end
`);

/** Makes all lines of a webhook due, and deliveries put aside if that was requested, and starts as many as may be sent at once. */
export async function wakeWebhook(
  redis: RedisConnection,
  queue: WebhookQueue,
  webhook: Webhook,
): Promise<void> {
  const aside = lineKey(webhook, 'aside');
  const state = lineKey(webhook, 'state');
  const keys = [state, lineKey(webhook, 'holds'), aside];
  const begun = await begin.run(redis, keys, [Date.now(), WAKE_EVERY_MS, WAKE_EVERY_MAX_MS]);
  const [count, asked] = begun as [number, string];
  let left = count;
  if (left < 0) return;
  // No more than there were at the beginning: deliveries put aside meanwhile were just attempted.
  while (left > 0) {
    const released = (await release.run(
      redis,
      [aside],
      [Date.now(), Math.min(left, RELEASED_AT_ONCE)],
    )) as number;
    left = released === 0 ? 0 : left - released;
  }
  if (asked !== '') await endRelease.run(redis, [state], [asked]);
  const { isBehind } = await startDue(redis, queue, webhook);
  if (isBehind) await queue.add({ what: 'feed', workspaceId: webhook.workspaceId });
}

/** In how many ms a requested wake may follow; null if none is requested. */
export async function untilNextWake(redis: RedisConnection, webhook: Webhook): Promise<number | null> {
  const state = lineKey(webhook, 'state');
  const [wake, aside, wokenAt, wakes] = await redis.hmget(state, 'wake', 'wakeAside', 'wokenAt', 'wakes');
  if (wake == null && aside == null) return null;
  const restMs =
    aside == null ? Math.min(WAKE_EVERY_MS * 2 ** Number(wakes ?? 0), WAKE_EVERY_MAX_MS) : WAKE_EVERY_MS;
  return Math.min(Math.max(0, Number(wokenAt ?? 0) + restMs - Date.now()), restMs);
}
