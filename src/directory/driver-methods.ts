import type { RedisConnection } from '../redis/connections.ts';
import { directoryKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';

const KEY = directoryKey('driver-methods');

/**
 * It may run when Redis' memory is full: the worker that starts then erases what is deleted.
 *
 * KEYS 1 methods by driver
 * ARGV 1 driver, 2 names of its methods, as JSON
 */
const publish = new Script(`#!lua flags=allow-oom
return redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
`);

/** Publishes the methods that a driver's workers execute; the last worker to publish wins. */
export async function publishDriverMethods(
  redis: RedisConnection,
  driver: string,
  names: string[],
): Promise<void> {
  await publish.run(redis, [KEY], [driver, JSON.stringify(names)]);
}

/** The methods that the workers of a driver execute, or of all drivers for null. Empty until a worker has run. */
export async function findDriverMethods(
  redis: RedisConnection,
  driver: string | null,
): Promise<ReadonlySet<string>> {
  const found = driver === null ? await redis.hvals(KEY) : [await redis.hget(KEY, driver)];
  return new Set(found.flatMap((names) => (names === null ? [] : parseNames(names))));
}

/** The drivers whose workers execute a method, in the order of their names. Empty until a worker has run. */
export async function findDriversOf(redis: RedisConnection, method: string): Promise<string[]> {
  const found = Object.entries(await redis.hgetall(KEY));
  return found
    .filter(([, names]) => parseNames(names).includes(method))
    .map(([driver]) => driver)
    .sort();
}

/** The drivers that workers serve, in the order of their names. Empty until a worker has run. */
export async function listDrivers(redis: RedisConnection): Promise<string[]> {
  return (await redis.hkeys(KEY)).sort();
}

function parseNames(json: string): string[] {
  return JSON.parse(json) as string[];
}
