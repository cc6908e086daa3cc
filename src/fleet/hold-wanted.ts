import type { RedisConnection } from '../redis/connections.ts';
import { WANTED_WORKERS_KEY } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';

/**
 * KEYS 1 numbers of workers
 * ARGV 1 number wanted now, 2 how long a number counts (ms)
 * Result the highest number wanted in that time
 */
const hold = new Script(`#!lua flags=allow-oom
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - ARGV[2]))
-- Once Redis' clock was set back, what was wanted before it would count for too long.
redis.call('ZREMRANGEBYSCORE', KEYS[1], string.format('%.0f', now + ARGV[2]), '+inf')
redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
local most = 0
for _, workers in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do most = math.max(most, tonumber(workers)) end
return most
`);

/**
 * The most workers that any process has wanted in the last `keptMs`. The number rises at once, falls late, and is the same for all
 * processes.
 */
export async function holdWanted(redis: RedisConnection, workers: number, keptMs: number): Promise<number> {
  return (await hold.run(redis, [WANTED_WORKERS_KEY], [workers, keptMs])) as number;
}
