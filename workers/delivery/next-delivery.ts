import type { RedisConnection } from '../../src/redis/connections.ts';
import { Script } from '../../src/redis/script.ts';
import type { Delivery } from '../../src/webhooks/delivery.ts';
import { type LineOwner, lineKey } from '../../src/webhooks/line-keys.ts';

/**
 * KEYS 1 pending, 2 deliveries, 3 holds, 4 state
 * ARGV 1 line
 * Result record of the line's first delivery or nil, when the line is retried, until when the receiver has asked for a pause (ms, or nil),
 *      how often a retry at once was asked for or nil
 */
export const readHead = new Script(`
local head = redis.call('ZRANGE', KEYS[1], '[' .. ARGV[1] .. ' ', '(' .. ARGV[1] .. '!', 'BYLEX', 'LIMIT', 0, 1)[1]
local record = head and redis.call('HGET', KEYS[2], string.match(head, '(%S+)$'))
local state = redis.call('HMGET', KEYS[4], 'pausedUntil', 'asked')
return {record, redis.call('ZSCORE', KEYS[3], ARGV[1]), state[1], state[2]}
`);

/** The head of a line. Times are in milliseconds since the epoch, 0 for none. */
export interface LineHead {
  delivery: Delivery;
  heldUntil: number;
  pausedUntil: number;
  /** How often a retry at once was asked for. */
  asked: string | null;
}

/** The next delivery of a line, or null if the line is empty. */
export async function findNextDelivery(
  redis: RedisConnection,
  owner: LineOwner,
  line: string,
): Promise<LineHead | null> {
  const keys = (['pending', 'deliveries', 'holds', 'state'] as const).map((part) => lineKey(owner, part));
  const answer = (await readHead.run(redis, keys, [line])) as (string | null)[];
  const [record, held, paused, asked = null] = answer;
  if (!record) return null;
  const delivery: Delivery = JSON.parse(record);
  return { delivery, heldUntil: Number(held ?? 0), pausedUntil: Number(paused ?? 0), asked };
}
