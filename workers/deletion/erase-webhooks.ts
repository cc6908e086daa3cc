import type { View } from '../../src/directory/collections.ts';
import { eraseRecord } from '../../src/directory/delete-record.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import { eraseLines } from '../../src/webhooks/line-keys.ts';
import { drainView } from './erase-records.ts';
import type { Pace } from './slices.ts';

/** Erases the webhooks of a view, with all that is to be sent to them. */
export function eraseWebhooks(redis: RedisConnection, view: View, pace: Pace): Promise<void> {
  return drainView(redis, 'webhooks', view, pace, async (webhook) => {
    // First, for nobody finds them without the record. What a delivery that was under way writes then lapses by itself.
    await eraseLines(redis, webhook);
    await eraseRecord(redis, 'webhooks', webhook);
    await eraseLines(redis, webhook);
  });
}
