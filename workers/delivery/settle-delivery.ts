import { byteKeys } from '../../src/bytes/byte-budget.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import { Script } from '../../src/redis/script.ts';
import { type Delivery, lineOf, pendingMemberOf } from '../../src/webhooks/delivery.ts';
import { COUNT_DELIVERIES } from '../../src/webhooks/delivery-bytes.ts';
import { DUE_AT_ONCE, type LineOwner, lineKey } from '../../src/webhooks/line-keys.ts';
import { LOG_KEPT, TRIM_LOG } from './trim-log.ts';

/**
 * KEYS 1 state, 2 pending, 3 aside, 4 holds, 5 deliveries, 6 settled, 7 to 10 the logs: all, queued, succeeded, failed,
 *      11 heads, 12 the workspace's bytes
 * ARGV 1 id, 2 member of pending, 3 line, 4 its fate: succeeded, failed, held, aside; 5 record, 6 now, 7 when it is retried,
 *      8 until when the receiver has asked for a pause, or 0 (all ms since the epoch), 9 `1` if it was attempted, 10 how long the log keeps
 *      it (ms), 11 how many the log keeps, 12 when the attempt began, 13 `1` if an attempt before it has failed,
 *      14 workspace, 15 how often a retry at once had been asked for before the attempt, or ''
 * Result: 1, or 0 if the delivery is no longer queued and nothing was written; failures in a row; since when (ms); lines that wait.
 */
export const settle = new Script(`${COUNT_DELIVERIES}
if not redis.call('ZSCORE', KEYS[8], ARGV[1]) then return {0, 0, '0', 0} end
local fate, retryAt = ARGV[4], ARGV[7]
-- A retry that was asked for since the attempt began is still owed: its wake may be over, and does not find what is put off now.
if (redis.call('HGET', KEYS[1], 'asked') or '') ~= ARGV[15] then
  retryAt = ${DUE_AT_ONCE}
  if fate == 'aside' and redis.call('ZSCORE', KEYS[2], ARGV[2]) then fate = 'held' end
end
local grown = put(KEYS[5], ARGV[1], ARGV[5])
if fate == 'held' then
  redis.call('ZADD', KEYS[4], retryAt, ARGV[3])
else
  redis.call('ZREM', KEYS[2], ARGV[2])
  if fate == 'aside' then
    redis.call('ZADD', KEYS[3], retryAt, ARGV[1])
  else
    redis.call('ZREM', KEYS[3], ARGV[1])
    redis.call('ZREM', KEYS[8], ARGV[1])
    redis.call('ZADD', fate == 'succeeded' and KEYS[9] or KEYS[10], 0, ARGV[1])
    redis.call('ZADD', KEYS[6], ARGV[6], ARGV[1])
    local settled, deliveries, all, succeeded, failed = KEYS[6], KEYS[5], KEYS[7], KEYS[9], KEYS[10]
    local now, keepMs, keepCount = ARGV[6], ARGV[10], ARGV[11]
    ${TRIM_LOG}
    grown = grown + trimmed
  end
end
countDeliveries(KEYS[11], KEYS[12], ARGV[14], grown)
if ARGV[9] == '0' then return {1, 0, '0', 0} end
if fate == 'succeeded' then
  redis.call('HDEL', KEYS[1], 'failures', 'failingSince')
  -- The receiver may have asked to wait since it got this. A worker of an earlier release does not say when it asked.
  if tonumber(redis.call('HGET', KEYS[1], 'pausedAt') or 0) < tonumber(ARGV[12]) then
    redis.call('HDEL', KEYS[1], 'pausedUntil', 'pausedAt')
  end
  redis.call('ZREM', KEYS[4], ARGV[3])
  if ARGV[13] == '1' then redis.call('HDEL', KEYS[1], 'wakes') end
  return {1, 0, '0', redis.call('ZCARD', KEYS[4])}
end
if ARGV[8] ~= '0' then
  redis.call('HSET', KEYS[1], 'pausedAt', ARGV[6])
  if tonumber(ARGV[8]) > tonumber(redis.call('HGET', KEYS[1], 'pausedUntil') or 0) then
    redis.call('HSET', KEYS[1], 'pausedUntil', ARGV[8])
  end
end
redis.call('HSETNX', KEYS[1], 'failingSince', ARGV[6])
return {1, redis.call('HINCRBY', KEYS[1], 'failures', 1), redis.call('HGET', KEYS[1], 'failingSince'), 0}
`);

/** The fate of a delivery: it is settled, it holds up its line, or it is put aside so that its line goes on. */
export type DeliveryOutcome = { to: 'succeeded' | 'failed' } | { to: 'held' | 'aside'; nextAt: number };

/** What an attempt has changed; without one, all is 0. */
export interface WebhookState {
  /** 0 after a success. */
  failuresInARow: number;
  /** Ms since the epoch; 0 after a success. */
  failingSince: number;
  /** How many lines wait for their retries; 0 after a failure, which wakes none. */
  linesWaiting: number;
}

/**
 * Records the fate of a queued delivery; null if it is no longer queued. `begunAt` is when its attempt began, `pausedUntil` until when its
 * receiver has asked for a pause (0 if it has not), in ms since the epoch. If a retry at once has been asked for more often than `asked`
 * says, what is not settled is due at once; its record still tells the time of the schedule, as for all retries before their time.
 */
export async function settleDelivery(
  redis: RedisConnection,
  owner: LineOwner,
  delivery: Delivery,
  fate: DeliveryOutcome,
  {
    now = Date.now(),
    wasAttempted = true,
    begunAt = now,
    pausedUntil = 0,
    asked = null,
  }: {
    now?: number;
    wasAttempted?: boolean;
    begunAt?: number;
    pausedUntil?: number;
    asked?: string | null;
  } = {},
): Promise<WebhookState | null> {
  const isOver = fate.to === 'succeeded' || fate.to === 'failed';
  const nextAt = 'nextAt' in fate ? fate.nextAt : null;
  const record: Delivery = {
    ...delivery,
    status: isOver ? fate.to : 'queued',
    nextAttemptAt: nextAt === null ? null : new Date(nextAt).toISOString(),
    settledAt: isOver ? new Date(now).toISOString() : null,
  };
  const parts = [
    'state',
    'pending',
    'aside',
    'holds',
    'deliveries',
    'settled',
    'log:all',
    'log:queued',
    'log:succeeded',
    'log:failed',
  ] as const;
  const answer = await settle.run(
    redis,
    [...parts.map((part) => lineKey(owner, part)), ...byteKeys(redis, owner.workspaceId)],
    [
      delivery.id,
      pendingMemberOf(delivery),
      lineOf(delivery),
      fate.to,
      JSON.stringify(record),
      now,
      nextAt ?? 0,
      pausedUntil,
      wasAttempted ? 1 : 0,
      LOG_KEPT.ms,
      LOG_KEPT.count,
      begunAt,
      delivery.attempts.length > 1 ? 1 : 0,
      owner.workspaceId,
      asked ?? '',
    ],
  );
  const [done, failuresInARow, since, linesWaiting] = answer as [number, number, string, number];
  return done === 1 ? { failuresInARow, failingSince: Number(since), linesWaiting } : null;
}
