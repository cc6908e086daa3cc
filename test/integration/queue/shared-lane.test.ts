import { setTimeout as sleep } from 'node:timers/promises';
import { DelayedError, Job, Queue, Worker } from 'bullmq';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { PLACED_MAX } from '../../../src/async-calls/accept-call.ts';
import { Tenants } from '../../../src/directory/tenants.ts';
import { newId } from '../../../src/ids.ts';
import { openLogger } from '../../../src/logger.ts';
import { AsyncCalls } from '../../../src/queue/async-calls.ts';
import { ASYNC_QUEUE, ASYNC_SHARD, AsyncQueue } from '../../../src/queue/async-queue.ts';
import { SharedLane, timesPutBack } from '../../../src/queue/consume/shared-lane.ts';
import { RedisClock } from '../../../src/redis/clock.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { queuePrefix } from '../../../src/redis/keys.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const NAME = 'lane';
const ALWAYS = { isFresh: () => true };
const PERMITS = 4;

let server: TestRedis;
let redis: RedisConnection;
let queue: Queue;
let workers: Worker[] = [];

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'worker', () => undefined);
  await untilReady(redis);
  queue = new Queue(NAME, { connection: redis });
});

afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.close()));
  workers = [];
});

afterAll(async () => {
  await queue.close();
  redis.disconnect();
  await server.stop();
});

/** Starts a worker whose jobs take as long as `until` says; what it runs, by workspace. */
function start(until: (workspaceId: string) => Promise<void>) {
  const lane = new SharedLane({ permits: PERMITS, tenants: new Tenants(redis, ALWAYS), queue });
  const running = new Map<string, number>();
  const putBack: number[] = [];
  const worker = new Worker(
    NAME,
    (job, token) =>
      lane.run(job, token, job.data.workspaceId, async () => {
        const { workspaceId } = job.data;
        putBack.push(timesPutBack(job));
        running.set(workspaceId, (running.get(workspaceId) ?? 0) + 1);
        await until(workspaceId);
        running.set(workspaceId, (running.get(workspaceId) ?? 1) - 1);
      }),
    { connection: redis, concurrency: lane.concurrency },
  );
  workers.push(worker);
  return { running, putBack };
}

function addJobs(workspaceId: string, count: number) {
  return queue.addBulk(
    Array.from({ length: count }, () => ({
      name: 'job',
      data: { workspaceId },
      opts: { removeOnComplete: true },
    })),
  );
}

it('runs the job of another tenant at once, however many of one there are and however long they take', async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const lanes = [1, 2].map(() =>
    start((workspaceId) => (workspaceId === 'loud' ? released : Promise.resolve())),
  );
  const loud = () => lanes.reduce((sum, { running }) => sum + (running.get('loud') ?? 0), 0);
  await addJobs('loud', 60);
  await eventually(async () => loud() > 0 && (await queue.getDelayedCount()) >= 60 - 2 * PERMITS);
  expect(loud()).toBeLessThan(2 * PERMITS);
  // Before one of the others has ended.
  const [job] = await addJobs('quiet', 1);
  await eventually(async () => (await queue.getJobState(job?.id as string)) === 'unknown');
  release();
  await eventually(async () => Object.values(await queue.getJobCounts()).every((count) => count === 0), {
    timeoutMs: 20_000,
  });
  expect(lanes.flatMap(({ putBack }) => putBack)).toHaveLength(61);
  expect(Math.max(...lanes.flatMap(({ putBack }) => putBack))).toBeGreaterThan(0);
});

it('does not look again and again at the many jobs of an organization with many workspaces', async () => {
  const tenants = {
    find: async (workspaceId: string) => ({ organizationId: 'loud', workspaceId, weight: 1 }),
  } as unknown as Tenants;
  const lane = new SharedLane({ permits: PERMITS, tenants, queue, againPerWaitingMs: 100 });
  const putBack: number[] = [];
  const worker = new Worker(
    NAME,
    (job, token) =>
      lane.run(job, token, job.data.workspaceId, async () => {
        putBack.push(timesPutBack(job));
        await sleep(40);
      }),
    { connection: redis, concurrency: lane.concurrency },
  );
  workers.push(worker);
  const [all, each] = [300, 10];
  for (let at = 0; at < all; at += each) await addJobs(`many-${at}`, each);
  await eventually(() => putBack.length === all, { timeoutMs: 60_000 });
  // Once when they came, and some once more. Otherwise each is put back three times.
  expect(putBack.reduce((sum, times) => sum + times, 0)).toBeLessThan(2 * all);
});

it('runs a job once a permit is free, however many wait before it that are gone by then', async () => {
  const tenants = {
    find: async (workspaceId: string) => ({ organizationId: 'loud', workspaceId, weight: 1 }),
  } as unknown as Tenants;
  // By itself, no job would come back sooner than after seven seconds.
  const lane = new SharedLane({ permits: 1, tenants, queue, againPerWaitingMs: 60_000 });
  const ran: string[] = [];
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const worker = new Worker(
    NAME,
    (job, token) =>
      lane.run(job, token, job.data.workspaceId, async () => {
        ran.push(job.data.workspaceId);
        await ended;
      }),
    { connection: redis, concurrency: lane.concurrency },
  );
  workers.push(worker);
  await addJobs('first', 1);
  await eventually(() => ran.length === 1);
  for (let n = 0; n < 8; n += 1) await addJobs(`gone-${n}`, 2);
  await eventually(async () => (await queue.getDelayedCount()) === 16);
  // As if another worker had run them.
  for (const job of await queue.getDelayed()) await job.remove();
  await addJobs('last', 1);
  await eventually(async () => (await queue.getDelayedCount()) === 1);
  end();
  await eventually(() => ran.includes('last'), { timeoutMs: 4_000 });
  expect(ran).toEqual(['first', 'last']);
});

it('promotes a job again if its permit became free while the job was put back', async () => {
  const lane = new SharedLane({ permits: 1, tenants: new Tenants(redis, ALWAYS), queue });
  const steps: string[] = [];
  // The lanes of other tests may still be waking their jobs.
  const promote = vi.spyOn(Job.prototype, 'promote').mockImplementation(async function (this: Job) {
    if (this.id === 'second') steps.push('promote');
  });
  const aJob = (id: string, moveToDelayed = async () => undefined) =>
    ({ id, progress: 0, updateProgress: async () => undefined, moveToDelayed }) as unknown as Job;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let isRunning = false;
  const first = lane.run(aJob('first'), 'token', 'loud', () => {
    isRunning = true;
    return ended;
  });
  await eventually(() => isRunning);
  const second = aJob('second', async () => {
    end();
    await first;
    steps.push('delayed');
    return undefined;
  });
  await expect(lane.run(second, 'token', 'loud', async () => undefined)).rejects.toBeInstanceOf(DelayedError);
  expect(steps).toEqual(['promote', 'delayed', 'promote']);
  promote.mockRestore();
});

it('puts so many calls of a workspace on the queue, and leaves the others as records', async () => {
  const clock = new RedisClock(redis);
  await clock.start();
  const log = openLogger({ LOG_LEVEL: 'silent' }, 'test');
  const calls = new AsyncCalls({
    redis,
    queue: new AsyncQueue(redis),
    clock,
    limits: { openMax: 100, bytesMax: 2 ** 28 },
    log,
  });
  const workspaceId = newId('workspace');
  for (let at = 0; at < PLACED_MAX + 5; at += 1) {
    const [id, createdAt] = [newId('call'), Math.floor(clock.now())];
    await calls.accept(
      {
        ...{
          id,
          workspaceId,
          organizationId: 'org_1',
          messengerAccountId: 'acc_1',
          method: 'help.getSupport',
        },
        ...{
          params: {},
          seed: id,
          createdAt,
          scheduleAt: null,
          expiresAt: createdAt + 60_000,
          replayOf: null,
        },
      },
      null,
    );
  }
  clock.stop();
  const jobs = await redis.llen(`${queuePrefix(ASYNC_SHARD)}:${ASYNC_QUEUE}:wait`);
  expect(jobs).toBe(PLACED_MAX);
});
