import { afterAll, beforeAll, expect, it } from 'vitest';
import { JOB_OPTIONS, openQueue } from '../../../src/queue/queues.ts';
import { readLanes } from '../../../src/queue/read-lanes.ts';
import { WIRE_VERSION } from '../../../src/queue/wire.ts';
import { openRedis, type RedisConnection } from '../../../src/redis/connections.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
let redis: RedisConnection;
beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'worker', () => undefined);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

it('adds up the lanes of all shards, and tells for how long the oldest job waits', async () => {
  const hourAgo = Date.now() - 3_600_000;
  for (const shard of [0, 1]) {
    const queue = openQueue('slow', redis, shard, WIRE_VERSION);
    const data = { v: WIRE_VERSION, id: 'batch', replyTo: '', ledgerExpiresAt: 0, calls: [] };
    for (const [jobId, timestamp] of [
      ['first', hourAgo],
      ['second', Date.now()],
    ] as const)
      await queue.add('calls', data, { ...JOB_OPTIONS, jobId, timestamp });
    await queue.close();
  }
  const lanes = await readLanes(redis, 2);
  expect(lanes.map(({ lane, waiting }) => [lane, waiting])).toEqual([
    ['shared', 0],
    ['slow', 4],
    ['lone', 0],
    ['async', 0],
  ]);
  const slow = lanes.find(({ lane }) => lane === 'slow');
  expect(Math.round((slow?.oldestWaitMs ?? 0) / 600_000)).toBe(6);
});

it('counts jobs that were put back for want of a permit among those that wait', async () => {
  const queue = openQueue('slow', redis, 2, WIRE_VERSION);
  const data = { v: WIRE_VERSION, id: 'batch', replyTo: '', ledgerExpiresAt: 0, calls: [] };
  const now = Date.now();
  // A job is due `delay` after its timestamp: both are in a while, the old one after the new one.
  for (const [jobId, timestamp, due] of [
    ['new', now - 1_000, now + 5_000],
    ['old', now - 7_200_000, now + 15_000],
  ] as const)
    await queue.add('calls', data, { ...JOB_OPTIONS, jobId, delay: due - timestamp, timestamp });
  await queue.close();
  const [, slow] = await readLanes(redis, 3);
  expect(slow).toMatchObject({ lane: 'slow', waiting: 6, taken: 0 });
  expect(Math.round((slow?.oldestWaitMs ?? 0) / 600_000)).toBe(12);
});
