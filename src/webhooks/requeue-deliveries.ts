import { iterateMembers } from '../directory/iterate-members.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { Script } from '../redis/script.ts';
import { type Delivery, lineOf, PING, pendingMemberOf } from './delivery.ts';
import { endPause, type LineOwner, lineKey } from './line-keys.ts';

const IDS_PER_READ = 200;

/**
 * KEYS 1 pending, 2 aside, 3 deliveries, 4 settled, 5 log of queued, 6 of succeeded, 7 of failed ones
 * ARGV 1 id, 2 member of pending, 3 record, 4 when it is tried, for one that goes aside of all lines, or ''
 * Result: 1, or 0 when it is not over, or no longer in the log; then nothing was written.
 */
export const requeue = new Script(`
if redis.call('ZREM', KEYS[4], ARGV[1]) == 0 then return 0 end
redis.call('ZREM', KEYS[6], ARGV[1])
redis.call('ZREM', KEYS[7], ARGV[1])
redis.call('ZADD', KEYS[5], 0, ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[3])
if ARGV[4] == '' then redis.call('ZADD', KEYS[1], 0, ARGV[2]) else redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1]) end
return 1
`);

/** Queues a settled delivery again, in the order of its line; null if it is not settled. */
export async function requeueDelivery(
  redis: RedisConnection,
  owner: LineOwner,
  delivery: Delivery,
): Promise<Delivery | null> {
  const now = Date.now();
  const record: Delivery = {
    ...delivery,
    status: 'queued',
    tries: 0,
    nextAttemptAt: new Date(now).toISOString(),
    settledAt: null,
  };
  const parts = [
    'pending',
    'aside',
    'deliveries',
    'settled',
    'log:queued',
    'log:succeeded',
    'log:failed',
  ] as const;
  const done = await requeue.run(
    redis,
    parts.map((part) => lineKey(owner, part)),
    [delivery.id, pendingMemberOf(delivery), JSON.stringify(record), delivery.kind === PING ? now : ''],
  );
  return done === 1 ? record : null;
}

/**
 * Retries a queued delivery, or its line, at once, even if the receiver has asked for a pause. Returns whether the delivery is outside its
 * line.
 */
export async function retryDeliveryNow(
  redis: RedisConnection,
  owner: LineOwner,
  delivery: Delivery,
): Promise<boolean> {
  const aside = lineKey(owner, 'aside');
  await redis.zadd(aside, 'XX', Date.now(), delivery.id);
  await redis.zrem(lineKey(owner, 'holds'), lineOf(delivery));
  await endPause(redis, owner);
  return (await redis.zscore(aside, delivery.id)) !== null;
}

/** Queues all deliveries again that have failed since a time, except pings; returns their number. */
export async function requeueFailed(
  redis: RedisConnection,
  owner: LineOwner,
  sinceMs: number,
): Promise<number> {
  let count = 0;
  for await (const ids of iterateMembers(redis, lineKey(owner, 'log:failed'), IDS_PER_READ)) {
    const texts = await redis.hmget(lineKey(owner, 'deliveries'), ...ids);
    const found = texts.flatMap((text): Delivery[] => (text === null ? [] : [JSON.parse(text)]));
    const wanted = found.filter(
      ({ kind, settledAt }) => kind !== PING && settledAt !== null && Date.parse(settledAt) >= sinceMs,
    );
    const done = await Promise.all(wanted.map((delivery) => requeueDelivery(redis, owner, delivery)));
    count += done.filter((record) => record !== null).length;
  }
  return count;
}
