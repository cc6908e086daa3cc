import type { RedisConnection } from '../redis/connections.ts';
import { Script } from '../redis/script.ts';
import { type LineOwner, lineKey } from './line-keys.ts';

/**
 * KEYS 1 aside
 * Result: how many wait there, all of them due now.
 */
export const release = new Script(`return redis.call('ZUNIONSTORE', KEYS[1], 1, KEYS[1], 'WEIGHTS', 0)`);

/** Ends the waiting of every delivery that was put aside. */
export async function releaseAside(redis: RedisConnection, owner: LineOwner): Promise<void> {
  await release.run(redis, [lineKey(owner, 'aside')], []);
}
