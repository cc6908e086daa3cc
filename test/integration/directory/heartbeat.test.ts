import { afterAll, beforeAll, expect, it } from 'vitest';
import { Heartbeat, isAlive, WORKERS } from '../../../src/directory/heartbeat.ts';
import { openLogger } from '../../../src/logger.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { aliveKey } from '../../../src/redis/keys.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const log = openLogger({ LOG_LEVEL: 'silent' }, 'test');

let server: TestRedis;
let redis: RedisConnection;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'request', () => undefined);
  await untilReady(redis);
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

it.each(['api-1', WORKERS])('%s comes to life again while the memory of Redis is full', async (name) => {
  const heartbeat = new Heartbeat(redis, name, log);
  await heartbeat.start();
  await redis.config('SET', 'maxmemory', '1');
  try {
    // As after three seconds in which it was suspended.
    await redis.unlink(aliveKey(name));
    await eventually(() => isAlive(redis, name));
    expect(await redis.pttl(aliveKey(name))).toBeGreaterThan(0);
    const other = new Heartbeat(redis, `other-${name}`, log);
    await other.start();
    expect(await isAlive(redis, `other-${name}`)).toBe(true);
    await other.stop();
  } finally {
    await heartbeat.stop();
    await redis.config('SET', 'maxmemory', '0');
  }
});
