import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { watchForRefusal } from '../../../src/redis/failure.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';
import { Link } from '../../torture/rig/link.ts';

let server: TestRedis;
let link: Link;
let redis: RedisConnection;
let direct: RedisConnection;

beforeAll(async () => {
  server = await startTestRedis();
  link = await Link.open(server.port);
  redis = openRedis(`redis://127.0.0.1:${link.port}`, 'submit', () => undefined);
  direct = openRedis(server.url, 'worker', () => undefined);
  await Promise.all([redis, direct].map(untilReady));
});

beforeEach(() => direct.flushall());

afterAll(async () => {
  for (const connection of [redis, direct]) connection.disconnect();
  await link.close();
  await server.stop();
});

async function fill(isFull: boolean): Promise<void> {
  await direct.config('SET', 'maxmemory', isFull ? '1' : '0');
}

/** The error of a command that is not carried out, or not a second time. */
async function failure(command: Promise<unknown>): Promise<Error> {
  return command.then(
    () => new Error('it was carried out'),
    (error: Error) => error,
  );
}

it('what Redis refuses has not been carried out', async () => {
  await fill(true);
  const isRefusal = watchForRefusal(redis);
  const error = await failure(redis.incr('count'));
  await fill(false);
  expect(error.message).toMatch(/^OOM /);
  expect(isRefusal(error)).toBe(true);
  expect(await direct.get('count')).toBeNull();
});

it('what it refuses when it is sent again, after the connection was cut, may have been', async () => {
  const isRefusal = watchForRefusal(redis);
  link.lose('answers');
  const failed = failure(redis.incr('count'));
  await eventually(async () => (await direct.get('count')) === '1');
  await fill(true);
  link.heal();
  const error = await failed;
  await fill(false);
  expect(error.message).toMatch(/^OOM /);
  expect(isRefusal(error)).toBe(false);
  expect(await direct.get('count')).toBe('1');
});
