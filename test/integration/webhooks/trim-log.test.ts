import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../../../src/ids.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { lineKey } from '../../../src/webhooks/line-keys.ts';
import { surveyLines } from '../../../workers/delivery/survey-lines.ts';
import { LOG_KEPT } from '../../../workers/delivery/trim-log.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const MINUTE_MS = 60_000;

let server: TestRedis;
let redis: RedisConnection;
let owner: { id: string; workspaceId: string };

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'worker', () => undefined);
  await untilReady(redis);
});

beforeEach(() => {
  owner = { id: newId('webhook'), workspaceId: newId('workspace') };
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

/** Keeps so many deliveries that ended in the same way at that time, and gives their ids in order. */
async function keep(status: 'failed' | 'succeeded', count: number, settledAt: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('delivery')).sort();
  const all = ids.flatMap((id) => ['0', id]);
  await redis.zadd(lineKey(owner, 'log:all'), ...all);
  await redis.zadd(lineKey(owner, `log:${status}`), ...all);
  await redis.zadd(lineKey(owner, 'settled'), ...ids.flatMap((id) => [String(settledAt), id]));
  await redis.hset(lineKey(owner, 'deliveries'), Object.fromEntries(ids.map((id) => [id, '{}'])));
  return ids;
}

async function trim(): Promise<void> {
  await surveyLines(redis, owner, { listsDue: false });
}

const idsOf = (status: 'failed' | 'succeeded') => redis.zrange(lineKey(owner, `log:${status}`), '0', '-1');

/** Expects the log to have these deliveries and no other, in all of its parts. */
async function expectKept(failed: string[], succeeded: string[]): Promise<void> {
  expect([await idsOf('failed'), await idsOf('succeeded')]).toEqual([failed, succeeded]);
  const every = [...failed, ...succeeded].sort();
  expect((await redis.zrange(lineKey(owner, 'settled'), '0', '-1')).sort()).toEqual(every);
  expect(await redis.zrange(lineKey(owner, 'log:all'), '0', '-1')).toEqual(every);
  expect((await redis.hkeys(lineKey(owner, 'deliveries'))).sort()).toEqual(every);
}

it('beyond its size, forgets the oldest that succeeded before any that failed', async () => {
  const failed = await keep('failed', 300, Date.now() - 9 * MINUTE_MS);
  const succeeded = await keep('succeeded', LOG_KEPT.count - 280, Date.now() - MINUTE_MS);
  await trim();
  await expectKept(failed, succeeded.slice(20));
});

it('keeps the newest that succeeded, however many have failed', async () => {
  const succeeded = await keep('succeeded', LOG_KEPT.succeeded + 10, Date.now() - 9 * MINUTE_MS);
  const failed = await keep('failed', LOG_KEPT.count - LOG_KEPT.succeeded + 30, Date.now() - MINUTE_MS);
  await trim();
  await expectKept(failed.slice(30), succeeded.slice(10));
});

it('forgets what is older than five days, however it ended', async () => {
  await keep('failed', 20, Date.now() - LOG_KEPT.ms - MINUTE_MS);
  await keep('succeeded', 20, Date.now() - LOG_KEPT.ms - MINUTE_MS);
  const failed = await keep('failed', 5, Date.now() - LOG_KEPT.ms + MINUTE_MS);
  await trim();
  await expectKept(failed, []);
});
