import type { RedisConnection } from '../redis/connections.ts';
import { drainKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';

// A worker looks every second.
const ASKED_FOR_MS = 60_000;

/**
 * KEYS 1 key of a worker
 * ARGV 1 time to live (ms)
 */
const ask = new Script(`#!lua flags=allow-oom
return redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])
`);

/** Asks a worker to finish its calls and to end. */
export async function askToDrain(redis: RedisConnection, name: string): Promise<void> {
  await ask.run(redis, [drainKey(name)], [ASKED_FOR_MS]);
}

/** Whether a worker was asked to drain. */
export async function isAskedToDrain(redis: RedisConnection, name: string): Promise<boolean> {
  return (await redis.exists(drainKey(name))) === 1;
}
