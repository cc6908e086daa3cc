import { Cluster } from 'ioredis';
import type { RedisConnection } from './connections.ts';
import { headsKey } from './keys.ts';

const HEADS_PER_STEP = 1_000;
const SHARED_HEADS = headsKey('');

/**
 * After keys were moved from one server to a cluster: copies each workspace's fields from the shared hash to a hash of its own, as a
 * cluster needs. Fields that the workspace already has stay. Any number of processes may run it at once.
 */
export async function spreadHeads(redis: RedisConnection): Promise<void> {
  if (!(redis instanceof Cluster)) return;
  const txid = await redis.hget(SHARED_HEADS, 'txid');
  if (txid === null) return;
  let cursor = '0';
  do {
    const [next, found] = await redis.hscan(SHARED_HEADS, cursor, 'COUNT', HEADS_PER_STEP);
    cursor = next;
    const fields: [string, string][] = [];
    for (let i = 0; i < found.length; i += 2) {
      const [name, value] = [found[i] as string, found[i + 1] as string];
      if (name !== 'txid') fields.push([name, value]);
    }
    await Promise.all(
      fields.flatMap(([name, value]) => {
        const key = headsKey(name.split(':')[0] as string);
        return [redis.hsetnx(key, name, value), redis.hsetnx(key, 'txid', txid)];
      }),
    );
  } while (cursor !== '0');
  await redis.unlink(SHARED_HEADS);
}
