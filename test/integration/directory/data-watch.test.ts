import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { DataWatch } from '../../../src/directory/data-watch.ts';
import { openSecret } from '../../../src/directory/secret.ts';
import { openLogger } from '../../../src/logger.ts';
import { RedisClock } from '../../../src/redis/clock.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { directoryKey } from '../../../src/redis/keys.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
let redis: RedisConnection;
let clock: RedisClock;
const watches: DataWatch[] = [];
const log = openLogger(readConfig({ LOG_LEVEL: 'silent' }), 'test');

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'request', () => undefined);
  await untilReady(redis);
  clock = new RedisClock(redis);
  await clock.start();
});

afterAll(async () => {
  for (const watch of watches) watch.stop();
  clock.stop();
  redis.disconnect();
  await server.stop();
});

async function watch(): Promise<DataWatch> {
  const started = new DataWatch(redis, clock, log);
  await started.start();
  watches.push(started);
  return started;
}

it('every process notices once, and publishes again what it has published', async () => {
  const both = [await watch(), await watch()];
  const published = [0, 0];
  for (const [index, one] of both.entries())
    await one.publish(async () => {
      published[index] = (published[index] ?? 0) + 1;
    });
  const before = clock.now();
  expect(await both[0]?.isLostSince(before)).toBe(false);
  await redis.flushall();
  await eventually(() => both.every(({ losses }) => losses === 1), { timeoutMs: 5_000 });
  expect(both.every(({ isReported }) => isReported)).toBe(true);
  await eventually(() => published.every((count) => count === 2));
  expect(await both[1]?.isLostSince(before)).toBe(true);
  // Later than any estimate of the time at which it was noticed.
  expect(await both[1]?.isLostSince(clock.now() + 1_000)).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(both.map(({ losses }) => losses)).toEqual([1, 1]);
});

it('says at once that data are lost when it is asked', async () => {
  const one = await watch();
  const before = clock.now();
  await redis.flushall();
  expect(await one.isLostSince(before)).toBe(true);
});

it('what could not be published again is tried until it can', async () => {
  const one = await watch();
  let tries = 0;
  await one.publish(async () => {
    tries += 1;
    if (tries === 2 || tries === 3) throw new Error('not now');
  });
  await redis.flushall();
  await eventually(() => tries === 4, { timeoutMs: 5_000 });
});

it('publishes again only what has failed', async () => {
  const one = await watch();
  const published = [0, 0];
  await one.publish(async () => {
    published[0] = (published[0] ?? 0) + 1;
  });
  await one.publish(async () => {
    published[1] = (published[1] ?? 0) + 1;
    if (published[1] === 2) throw new Error('not now');
  });
  await redis.flushall();
  await eventually(() => published[1] === 3, { timeoutMs: 5_000 });
  expect(published[0]).toBe(2);
});

it('a process logs that Redis holds the secret of another', async () => {
  await redis.flushall();
  const one = await watch();
  const lines: string[] = [];
  const error = (line: string) => lines.push(line);
  const secret = await openSecret(redis, undefined, one.publish, { error });
  expect(await openSecret(redis, undefined, one.publish, { error })).toEqual(secret);
  await redis.flushall();
  await eventually(() => one.losses === 1, { timeoutMs: 5_000 });
  await eventually(async () => (await redis.exists(directoryKey('cursor-secret'))) === 1);
  expect(lines).toEqual([]);
  await redis.multi().flushall().set(directoryKey('cursor-secret'), 'made by one that has just begun').exec();
  await eventually(() => lines.length === 2, { timeoutMs: 5_000 });
  expect(lines[0]).toContain('another secret');
});

it('other data than before are lost data too', async () => {
  const one = await watch();
  await redis.set('sb:epoch', 'of another Redis');
  await eventually(() => one.losses === 1, { timeoutMs: 5_000 });
});

it('takes data for lost when Redis cannot be asked, as a call that failed may have found none', async () => {
  const gone = await startTestRedis();
  const connection = openRedis(gone.url, 'request', () => undefined);
  await untilReady(connection);
  const one = new DataWatch(connection, clock, log);
  await one.start();
  watches.push(one);
  expect(await one.isLostSince(clock.now())).toBe(false);
  await gone.stop();
  expect(await one.isLostSince(clock.now() + 60_000)).toBe(true);
  one.stop();
  connection.disconnect();
});
