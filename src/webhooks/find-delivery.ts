import { isId } from '../ids.ts';
import type { RedisConnection } from '../redis/connections.ts';
import type { Delivery } from './delivery.ts';
import { type LineOwner, lineKey } from './line-keys.ts';

/** A delivery in the log of a webhook, or null. */
export async function findDelivery(
  redis: RedisConnection,
  owner: LineOwner,
  id: string,
): Promise<Delivery | null> {
  if (!isId('delivery', id)) return null;
  const text = await redis.hget(lineKey(owner, 'deliveries'), id);
  return text === null ? null : JSON.parse(text);
}
