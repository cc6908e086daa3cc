import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Dispatcher } from '../../../src/queue/submit/dispatcher.ts';
import type { PendingCall } from '../../../src/queue/submit/pending-call.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { eventually } from '../../support/eventually.ts';
import { aPendingCall } from '../../support/queue/pending-calls.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
let redis: RedisConnection;
let dispatcher: Dispatcher;

beforeEach(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'submit', () => undefined);
  await untilReady(redis);
  dispatcher = new Dispatcher({
    shard: 0,
    redis,
    queueConnection: redis,
    bootId: 'boot',
    freshness: { covers: () => true },
    replyTo: 'replies',
    onLost: () => undefined,
  });
});

afterEach(async () => {
  await dispatcher.close();
  redis.disconnect();
  await server.stop();
});

/** How many jobs some calls travel in, once all are on their way. */
async function countJobs(calls: PendingCall[]): Promise<number> {
  await eventually(() => calls.every(({ batch }) => batch !== null));
  return new Set(calls.map(({ batch }) => batch?.id)).size;
}

async function pushOneByOne(count: number): Promise<PendingCall[]> {
  const calls: PendingCall[] = [];
  for (let n = 0; n < count; n += 1) {
    const call = aPendingCall();
    calls.push(call);
    dispatcher.push(call);
    await sleep(2);
  }
  return calls;
}

it('with little outstanding every call goes at once', async () => {
  for (let n = 0; n < 20; n += 1) {
    const call = aPendingCall();
    dispatcher.push(call);
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(call.batch).not.toBeNull();
    // No more than two jobs are on their way to Redis at a time.
    await eventually(async () => (await redis.keys('*:boot.*')).length === n + 1);
  }
});

it('with much outstanding that takes long, few calls wait for others to go with, but not for long', async () => {
  const first = Array.from({ length: 60 }, () => aPendingCall());
  for (const call of first) dispatcher.push(call);
  expect(await countJobs(first)).toBe(1);
  for (const call of first.slice(0, 20)) {
    (call.batch as { sentAt: number }).sentAt = performance.now() - 1_000;
    dispatcher.noteAnswer(call);
  }
  // The timers of a busy machine fire late, and then there is nobody to wait for.
  let jobs = 12;
  for (let round = 0; round < 20 && jobs >= 8; round += 1) {
    jobs = Math.min(jobs, await countJobs(await pushOneByOne(12)));
  }
  expect(jobs).toBeLessThan(8);
  const many = Array.from({ length: 200 }, () => aPendingCall());
  for (const call of many) dispatcher.push(call);
  expect(await countJobs(many)).toBeLessThanOrEqual(5);
});
