import type { RedisConnection } from '../redis/connections.ts';
import { directoryKey } from '../redis/keys.ts';

const KEY = directoryKey('driver-methods');

/** Makes known which methods a driver's workers execute; the newest worker's word counts. */
export async function publishDriverMethods(
  redis: RedisConnection,
  driver: string,
  names: string[],
): Promise<void> {
  await redis.hset(KEY, driver, JSON.stringify(names));
}

/** The methods that the workers of a driver execute, or of any driver; empty while no worker has ever run. */
export async function findDriverMethods(
  redis: RedisConnection,
  driver: string | null,
): Promise<ReadonlySet<string>> {
  const found = driver === null ? await redis.hvals(KEY) : [await redis.hget(KEY, driver)];
  return new Set(found.flatMap((names) => (names === null ? [] : (JSON.parse(names) as string[]))));
}
