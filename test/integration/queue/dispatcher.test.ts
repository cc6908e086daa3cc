import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newId } from '../../../src/ids.ts';
import { openQueue } from '../../../src/queue/queues.ts';
import { Dispatcher } from '../../../src/queue/submit/dispatcher.ts';
import type { PendingCall, SentBatch } from '../../../src/queue/submit/pending-call.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { eventually } from '../../support/eventually.ts';
import { aClock, TestCalls } from '../../support/queue/test-calls.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
let redis: RedisConnection;
let dispatcher: Dispatcher;
let calls: TestCalls;
let workers: { count: number };

beforeEach(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'submit', () => undefined);
  await untilReady(redis);
  calls = new TestCalls(redis, await aClock(redis), {
    queued: (pending) => dispatcher.push(pending),
    ended: (pending, how) => dispatcher.leave(pending, how),
  });
  workers = { count: 1 };
  dispatcher = new Dispatcher({
    shard: 0,
    redis,
    queueConnection: redis,
    processName: 'boot',
    freshness: { isFresh: () => true },
    replyTo: 'replies',
    calls: calls.calls,
    workers,
  });
});

afterEach(async () => {
  await dispatcher.close();
  redis.disconnect();
  await server.stop();
});

const REPLY = { status: 200, offset: null, headers: {}, body: '{}' };

/** How many jobs some calls travel in, once all are on their way. */
async function countJobs(sent: PendingCall[]): Promise<number> {
  await eventually(() => sent.every(({ state }) => state === 'sent'));
  return new Set(sent.map(({ batch }) => batch?.id)).size;
}

async function openOneByOne(count: number): Promise<PendingCall[]> {
  const opened: PendingCall[] = [];
  for (let n = 0; n < count; n += 1) {
    opened.push(calls.open());
    await sleep(2);
  }
  return opened;
}

it('with little outstanding every call goes at once', async () => {
  for (let n = 0; n < 20; n += 1) {
    const call = calls.open();
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(call.state).toBe('sent');
    // No more than two jobs are on their way to Redis at a time.
    await eventually(async () => (await redis.keys('*:boot.*')).length === n + 1);
  }
});

it('with much outstanding that takes long, few calls wait for others to go with, but not for long', async () => {
  const first = Array.from({ length: 60 }, () => calls.open());
  expect(await countJobs(first)).toBe(1);
  for (const { call, batch } of first.slice(0, 20)) {
    (batch as { sentAt: number }).sentAt = performance.now() - 1_000;
    calls.calls.answer(call.number, REPLY);
  }
  // The timers of a busy machine fire late, and then there is nobody to wait for.
  let jobs = 12;
  for (let round = 0; round < 20 && jobs >= 8; round += 1) {
    jobs = Math.min(jobs, await countJobs(await openOneByOne(12)));
  }
  expect(jobs).toBeLessThan(8);
});

it('many calls that come at once go in few jobs, also behind others', async () => {
  await countJobs(Array.from({ length: 60 }, () => calls.open()));
  const many = Array.from({ length: 200 }, () => calls.open());
  expect(await countJobs(many)).toBeLessThanOrEqual(5);
});

it('while calls are answered slowly few are outstanding, in jobs of few', async () => {
  dispatcher.start();
  const workspaceId = newId('workspace');
  const opened = Array.from({ length: 600 }, () => calls.open({ workspaceId }));
  const outstanding = () => opened.filter(({ state }) => state === 'sent');
  let answered = 0;
  while (answered <= 500) {
    for (const { call } of outstanding().slice(0, 8)) {
      calls.calls.answer(call.number, REPLY);
      answered += 1;
    }
    await sleep(20);
  }
  // By their jobs: those that were sent before the answers were counted go in larger ones.
  const last = outstanding();
  expect(last.length).toBeLessThanOrEqual(64);
  const sizes = new Map<unknown, number>();
  for (const { batch } of last) sizes.set(batch?.id, (sizes.get(batch?.id) ?? 0) + 1);
  expect(Math.max(...sizes.values())).toBeLessThanOrEqual(16);
});

it('with many workers, calls go in so many jobs that each worker gets some', async () => {
  workers.count = 24;
  const sent = Array.from({ length: 200 }, () => calls.open());
  expect(await countJobs(sent)).toBe(25);
});

it('a call waits for others to go with for a moment only, however long answers take', async () => {
  const first = Array.from({ length: 300 }, () => calls.open());
  await countJobs(first);
  for (const { call, batch } of first.slice(0, 20)) {
    const sent = batch as SentBatch;
    const { sentAt } = sent;
    sent.sentAt -= 240_000;
    calls.calls.answer(call.number, REPLY);
    // Only this answer took long: the others of its batch are not stalled.
    sent.sentAt = sentAt;
  }
  const before = dispatcher.outstanding;
  for (let n = 0; n < 3; n += 1) {
    const later = calls.open();
    await eventually(() => later.state === 'sent');
  }
  // Once many of those that are held up have given their permits back, no call waits any more.
  expect(dispatcher.outstanding).toBeGreaterThan(before - 60);
});

it('a call that is answered gives its permit back', async () => {
  const opened = Array.from({ length: 60 }, () => calls.open());
  await countJobs(opened);
  expect(dispatcher.outstanding).toBe(60);
  for (const { call } of opened) calls.calls.answer(call.number, REPLY);
  expect(dispatcher.outstanding).toBe(0);
});

it('a job whose calls will never run is taken back', async () => {
  const call = calls.open();
  await countJobs([call]);
  const job = `*:${call.batch?.id}`;
  await eventually(async () => (await redis.keys(job)).length > 0);
  await calls.calls.end(call, 'canceled');
  await eventually(async () => (await redis.keys(`*calls-shared:${call.batch?.id}`)).length === 0);
});

it('a queue that was opened while Redis did not answer works once Redis does', async () => {
  const answering = vi.spyOn(redis, 'info').mockRejectedValueOnce(new Error('Connection is closed.'));
  const queue = openQueue('shared', redis, 0, 2);
  await queue.waitUntilReady().catch(() => undefined);
  answering.mockRestore();
  await expect(queue.getJobCounts('wait')).resolves.toEqual({ wait: 0 });
});
