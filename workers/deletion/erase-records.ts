import type { Collection, Records, View } from '../../src/directory/collections.ts';
import { eraseRecord } from '../../src/directory/delete-record.ts';
import { parseRecord, recordsKey, viewKey } from '../../src/directory/records.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import type { Pace } from './slices.ts';

const RECORDS_PER_SLICE = 100;

/**
 * Applies a function to every record of a view, a slice at a time, until the view is empty. The function must remove the record from the
 * view.
 */
export async function drainView<C extends Collection>(
  redis: RedisConnection,
  collection: C,
  view: View,
  pace: Pace,
  remove: (record: Records[C]) => Promise<unknown>,
): Promise<void> {
  const key = viewKey(collection, view);
  for (;;) {
    const startedAt = performance.now();
    const ids = await redis.zrange(key, '0', String(RECORDS_PER_SLICE - 1));
    if (ids.length === 0) return;
    const texts = await redis.hmget(recordsKey(collection), ...ids);
    const lost = ids.filter((_, i) => texts[i] === null);
    if (lost.length > 0) await redis.zrem(key, ...lost);
    await Promise.all(
      texts.flatMap((text) => (text === null ? [] : [remove(parseRecord(collection, text))])),
    );
    await pace.rest(startedAt);
  }
}

/** Erases the records of a view. */
export function eraseRecords(
  redis: RedisConnection,
  collection: Collection,
  view: View,
  pace: Pace,
): Promise<void> {
  return drainView(redis, collection, view, pace, (record) => eraseRecord(redis, collection, record));
}
