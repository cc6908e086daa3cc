import type { RedisConnection } from '../../src/redis/connections.ts';
import { Script } from '../../src/redis/script.ts';
import { type Delivery, pendingMemberOf } from '../../src/webhooks/delivery.ts';
import { type LineOwner, lineKey } from '../../src/webhooks/line-keys.ts';

/**
 * KEYS 1 state, 2 pending, 3 deliveries, 4 log of all, 5 log of queued ones
 * ARGV 1 position before the deliveries, 2 position after them, then id, member of pending and record of each
 * Result: 1, or 0 if the position has changed or the webhook is deleted: then nothing was written.
 */
export const append = new Script(`
if redis.call('HGET', KEYS[1], 'position') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'position', ARGV[2])
for i = 3, #ARGV, 3 do
  redis.call('ZADD', KEYS[2], 0, ARGV[i + 1])
  redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 2])
  redis.call('ZADD', KEYS[4], 0, ARGV[i])
  redis.call('ZADD', KEYS[5], 0, ARGV[i])
end
return 1
`);

/** Appends deliveries to their lines and moves the webhook's position after them, atomically. False if the position had already moved. */
export async function appendDeliveries(
  redis: RedisConnection,
  owner: LineOwner,
  move: { from: string; to: string },
  deliveries: readonly Delivery[],
): Promise<boolean> {
  const keys = (['state', 'pending', 'deliveries', 'log:all', 'log:queued'] as const).map((part) =>
    lineKey(owner, part),
  );
  const records = deliveries.flatMap((delivery) => [
    delivery.id,
    pendingMemberOf(delivery),
    JSON.stringify(delivery),
  ]);
  return (await append.run(redis, keys, [move.from, move.to, ...records])) === 1;
}
