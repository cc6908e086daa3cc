import { fileURLToPath } from 'node:url';
import { compileStale } from '../../src/launch/prepare.mjs';
import { findRedisServer } from '../../src/launch/private-redis/find-redis-server.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Compiles the sources if they have changed, for the tests that start processes of the service; finds or fetches a Redis server
 * before the test files look for it side by side.
 */
export async function setup(): Promise<void> {
  await compileStale(ROOT);
  await findRedisServer((line) => process.stderr.write(`${line}\n`));
}
