import type { View } from '../../src/directory/collections.ts';
import { eraseRecord } from '../../src/directory/delete-record.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import { eraseLines } from '../../src/webhooks/line-keys.ts';
import { drainView } from './erase-records.ts';
import type { Pace } from './slices.ts';

/** Erases the webhooks of a view, with their deliveries. */
export function eraseWebhooks(redis: RedisConnection, view: View, pace: Pace): Promise<void> {
  return drainView(redis, 'webhooks', view, pace, async (webhook) => {
    // First, as the lines cannot be found without the record. Data that a delivery under way writes afterwards expire.
    await eraseLines(redis, webhook);
    await eraseRecord(redis, 'webhooks', webhook);
    await eraseLines(redis, webhook);
  });
}
