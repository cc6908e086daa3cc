import { findRedisServer } from '../../src/launch/private-redis/find-redis-server.ts';

/** Has a Redis server found, or fetched, once before the test files that start their own look for it side by side. */
export async function setup(): Promise<void> {
  await findRedisServer((line) => process.stderr.write(`${line}\n`));
}
