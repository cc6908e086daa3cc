import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { bringUp } from '../../../src/launch/bring-up.ts';
import { Stack } from '../../../src/launch/stack.ts';
import { openLogger } from '../../../src/logger.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

// It loads fifty keys a second, and answers in between.
const SLOWLY = [
  ...['--enable-debug-command', 'yes'],
  ...['--key-load-delay', '20000', '--loading-process-events-interval-bytes', '1024'],
];
const KEYS = 3_000;

let server: TestRedis;
let redis: Redis;
let dataDir: string;
beforeEach(async () => {
  server = await startTestRedis({ args: SLOWLY });
  redis = new Redis(server.url, { enableReadyCheck: false });
  redis.on('error', () => undefined);
  dataDir = await mkdtemp(join(tmpdir(), 'switchboard-loading-redis-'));
});
afterEach(async () => {
  redis.disconnect();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const infoOf = async (section: string, name: string) =>
  (await redis.info(section)).match(new RegExp(`^${name}:(\\d+)`, 'm'))?.[1];

it('a start is given up at once while the Redis of the setting loads its data', async () => {
  for (let n = 0; n < KEYS; n += 1) await redis.set(`key ${n}`, randomBytes(2_048));
  const other = redis.duplicate();
  other.on('error', () => undefined);
  other.call('DEBUG', 'RELOAD').catch(() => undefined);
  await eventually(async () => (await infoOf('persistence', 'loading')) === '1');
  const before = Number(await infoOf('clients', 'connected_clients'));
  const giving = new AbortController();
  const stack = new Stack();
  const config = readConfig({
    REDIS_URL: server.url,
    SWITCHBOARD_DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
  });
  const log = openLogger(config, 'test');
  const starting = bringUp({ config, log, stack, signal: giving.signal });
  starting.catch(() => undefined);
  await eventually(async () => Number(await infoOf('clients', 'connected_clients')) > before);
  giving.abort();
  await expect(starting).rejects.toThrow(/abort/);
  expect(await infoOf('persistence', 'loading')).toBe('1');
  await stack.close();
  other.disconnect();
});
