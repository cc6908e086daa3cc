import { iterateMembers } from '../directory/iterate-members.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { Script } from '../redis/script.ts';
import { type Delivery, lineOf, PING, pendingMemberOf } from './delivery.ts';
import { findDelivery } from './find-delivery.ts';
import { endPause, type LineOwner, lineKey } from './line-keys.ts';

const IDS_PER_READ = 200;
// A delivery that is attempted again and again meanwhile is not settled.
const ROUNDS_MAX = 5;

/**
 * KEYS 1 pending, 2 aside, 3 deliveries, 4 settled, 5 log of queued, 6 of succeeded, 7 of failed ones
 * ARGV 1 id, 2 member of pending, 3 record, 4 when it is tried, for one that goes aside of all lines, or '', 5 when it was over as it was read,
 *      or ''
 * Result: 1; 0 when it is not over, or no longer in the log; -1 when it was attempted again since it was read. Then nothing was written.
 */
export const requeue = new Script(`
local settledAt = redis.call('ZSCORE', KEYS[4], ARGV[1])
if not settledAt then return 0 end
if math.floor(tonumber(settledAt)) ~= tonumber(ARGV[5]) then return -1 end
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('ZREM', KEYS[6], ARGV[1])
redis.call('ZREM', KEYS[7], ARGV[1])
redis.call('ZADD', KEYS[5], 0, ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[3])
if ARGV[4] == '' then redis.call('ZADD', KEYS[1], 0, ARGV[2]) else redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1]) end
return 1
`);

/**
 * Queues a settled delivery again, in the order of its line, with all its attempts; null if it is not settled. `isWanted` is asked again if it
 * was attempted since it was read.
 */
export async function requeueDelivery(
  redis: RedisConnection,
  owner: LineOwner,
  delivery: Delivery,
  isWanted: (delivery: Delivery) => boolean = () => true,
  rounds = ROUNDS_MAX,
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
    [
      delivery.id,
      pendingMemberOf(delivery),
      JSON.stringify(record),
      delivery.kind === PING ? now : '',
      delivery.settledAt === null ? '' : Date.parse(delivery.settledAt),
    ],
  );
  if (done !== -1) return done === 1 ? record : null;
  const found = rounds > 1 ? await findDelivery(redis, owner, delivery.id) : null;
  return found !== null && isWanted(found)
    ? requeueDelivery(redis, owner, found, isWanted, rounds - 1)
    : null;
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
  const isWanted = ({ kind, status, settledAt }: Delivery) =>
    status === 'failed' && kind !== PING && settledAt !== null && Date.parse(settledAt) >= sinceMs;
  for await (const ids of iterateMembers(redis, lineKey(owner, 'log:failed'), IDS_PER_READ)) {
    const texts = await redis.hmget(lineKey(owner, 'deliveries'), ...ids);
    const found = texts.flatMap((text): Delivery[] => (text === null ? [] : [JSON.parse(text)]));
    const done = await Promise.all(
      found.filter(isWanted).map((delivery) => requeueDelivery(redis, owner, delivery, isWanted)),
    );
    count += done.filter((record) => record !== null).length;
  }
  return count;
}
