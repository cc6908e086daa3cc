import { byteKeys, bytesMaxOf } from '../../src/bytes/byte-budget.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import { Script } from '../../src/redis/script.ts';
import { type Delivery, pendingMemberOf } from '../../src/webhooks/delivery.ts';
import { COUNT_DELIVERIES } from '../../src/webhooks/delivery-bytes.ts';
import { type LineOwner, lineKey } from '../../src/webhooks/line-keys.ts';

/**
 * KEYS 1 state, 2 pending, 3 deliveries, 4 log of all, 5 log of queued ones, 6 heads, 7 the workspace's bytes
 * ARGV 1 position before the deliveries, 2 position after them, 3 workspace, 4 byte budget of a workspace that has none of its own (0:
 *      unlimited), 5 `1` if the budget may be exceeded, then id, member of pending and record of each
 * Result: 1; 0 if the position has changed or the webhook is deleted, -1 if the workspace has used its budget: then nothing was written.
 */
export const append = new Script(`${COUNT_DELIVERIES}
if redis.call('HGET', KEYS[1], 'position') ~= ARGV[1] then return 0 end
-- A position that moves takes nothing.
if #ARGV > 5 and ARGV[5] ~= '1' and isFull(KEYS[6], KEYS[7], ARGV[3], ARGV[4]) then return -1 end
redis.call('HSET', KEYS[1], 'position', ARGV[2])
local bytes = 0
for i = 6, #ARGV, 3 do
  -- Where the position stays, a script that is sent again comes here again.
  bytes = bytes + put(KEYS[3], ARGV[i], ARGV[i + 2])
  redis.call('ZADD', KEYS[2], 0, ARGV[i + 1])
  redis.call('ZADD', KEYS[4], 0, ARGV[i])
  redis.call('ZADD', KEYS[5], 0, ARGV[i])
end
countDeliveries(KEYS[6], KEYS[7], ARGV[3], bytes)
return 1
`);

/**
 * Appends deliveries to their lines and moves the webhook's position after them, atomically. False if the position had already moved, or
 * the workspace has used its byte budget and they may not exceed it.
 */
export async function appendDeliveries(
  redis: RedisConnection,
  owner: LineOwner,
  move: { from: string; to: string },
  deliveries: readonly Delivery[],
  { mayExceed = false } = {},
): Promise<boolean> {
  const keys = (['state', 'pending', 'deliveries', 'log:all', 'log:queued'] as const).map((part) =>
    lineKey(owner, part),
  );
  const records = deliveries.flatMap((delivery) => [
    delivery.id,
    pendingMemberOf(delivery),
    JSON.stringify(delivery),
  ]);
  const { workspaceId } = owner;
  const budget = [workspaceId, bytesMaxOf(redis), mayExceed ? 1 : 0];
  const result = await append.run(
    redis,
    [...keys, ...byteKeys(redis, workspaceId)],
    [move.from, move.to, ...budget, ...records],
  );
  return result === 1;
}
