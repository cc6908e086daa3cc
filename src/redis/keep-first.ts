import type { RedisConnection } from './connections.ts';
import { Script } from './script.ts';

/**
 * It may run when Redis' memory is full: a process that starts then can still read and delete.
 *
 * KEYS 1 the key
 * ARGV 1 a value
 * Result the value that the key has now
 */
const keep = new Script(`#!lua flags=allow-oom
redis.call('SET', KEYS[1], ARGV[1], 'NX')
return redis.call('GET', KEYS[1])
`);

/** Sets a short value unless there is one, and returns the one that is kept: of several processes, the first one's. */
export async function keepFirst(redis: RedisConnection, key: string, value: string): Promise<string> {
  return (await redis.get(key)) ?? ((await keep.run(redis, [key], [value])) as string);
}
