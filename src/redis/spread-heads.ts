import { Cluster } from 'ioredis';
import type { RedisConnection } from './connections.ts';
import { headsKey } from './keys.ts';

const HEADS_A_STEP = 1_000;
const EVERY = headsKey('');

/**
 * Gives every workspace of a cluster the heads it had when all of them lay on one server, from which its keys were moved. What a
 * workspace has of its own stays; any number of processes may do this at once.
 */
export async function spreadHeads(redis: RedisConnection): Promise<void> {
  if (!(redis instanceof Cluster)) return;
  const txid = await redis.hget(EVERY, 'txid');
  if (txid === null) return;
  let cursor = '0';
  do {
    const [next, found] = await redis.hscan(EVERY, cursor, 'COUNT', HEADS_A_STEP);
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
  await redis.unlink(EVERY);
}
