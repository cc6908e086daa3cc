import type { RedisConnection } from '../redis/connections.ts';
import { directoryKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';

const KEY = directoryKey('queue-shards');

/**
 * It may run when Redis' memory is full: the worker that starts then erases what is deleted.
 *
 * KEYS 1 number of shards
 * ARGV 1 number of shards that a worker takes calls from
 * Result: 1
 */
const raise = new Script(`#!lua flags=allow-oom
if tonumber(redis.call('GET', KEYS[1]) or 1) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[1]) end
return 1
`);

/** The number of shards over which calls are spread; 1 until a worker has run. */
export async function getQueueShards(redis: RedisConnection): Promise<number> {
  return Math.max(1, Number((await redis.get(KEY)) ?? 1));
}

/** Raises the number of shards over which calls are spread. Never lowers it. */
export async function raiseQueueShards(redis: RedisConnection, count: number): Promise<void> {
  await raise.run(redis, [KEY], [count]);
}
