import { setImmediate as turn } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { acceptCall } from '../../../src/async-calls/accept-call.ts';
import type { AsyncCall } from '../../../src/async-calls/async-call.ts';
import { endedName, entryOf, PLACED, WAITING } from '../../../src/async-calls/call-keys.ts';
import { findCallWorkspace } from '../../../src/async-calls/call-workspace.ts';
import { markDue } from '../../../src/async-calls/due-workspaces.ts';
import { endCall } from '../../../src/async-calls/end-call.ts';
import { findCall } from '../../../src/async-calls/find-call.ts';
import { readConfig } from '../../../src/config.ts';
import { LiveConfig, type Settings } from '../../../src/control/settings.ts';
import { newId } from '../../../src/ids.ts';
import { openLogger } from '../../../src/logger.ts';
import { Problem } from '../../../src/problem.ts';
import { AsyncQueue, openAsyncQueue } from '../../../src/queue/async-queue.ts';
import { WIRE_VERSION } from '../../../src/queue/wire.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { stateKey, updatesKey } from '../../../src/redis/keys.ts';
import { AsyncMetrics } from '../../../workers/async-calls/async-metrics.ts';
import { CallSweeper } from '../../../workers/async-calls/call-sweeper.ts';
import { eventually } from '../../support/eventually.ts';
import { aClock } from '../../support/queue/test-calls.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const DAY_MS = 24 * 3_600_000;

let server: TestRedis;
let redis: RedisConnection;
let queue: AsyncQueue;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'worker', () => undefined);
  await untilReady(redis);
  queue = new AsyncQueue(redis);
});

/** Keeps so many ended calls of a workspace. */
async function aSweeper(keptMax: number, settings: Settings = {}): Promise<CallSweeper> {
  const config = {
    ...readConfig({ REDIS_URL: server.url }),
    ASYNC_CALLS_PER_WORKSPACE: keptMax,
    ASYNC_CALL_BYTES_PER_WORKSPACE: 2 ** 20,
  };
  const live = new LiveConfig(config);
  live.apply(settings);
  return new CallSweeper({
    redis,
    queue,
    control: { refresh: async () => undefined, pauses: { holdsAll: () => false } as never, round: 0, live },
    clock: await aClock(redis),
    metrics: new AsyncMetrics(new Registry()),
    log: openLogger({ LOG_LEVEL: 'silent' }, 'test'),
    runMs: 1_000,
    limits: config,
  });
}

afterAll(async () => {
  await queue.close();
  redis.disconnect();
  await server.stop();
});

function aCall(workspaceId: string, createdAt: number): AsyncCall {
  const id = newId('call');
  return {
    ...{ id, workspaceId, organizationId: 'org_1', messengerAccountId: 'acc_1', method: 'help.getSupport' },
    ...{ params: {}, seed: id, createdAt, scheduleAt: null, expiresAt: createdAt + DAY_MS, replayOf: null },
  };
}

it('frees what ended calls take while the memory of Redis is full and a job waits to be added again', async () => {
  const workspaceId = newId('workspace');
  const [ended, open] = [aCall(workspaceId, Date.now()), aCall(workspaceId, Date.now())];
  for (const call of [ended, open]) await acceptCall(redis, call, null, { openMax: 10, bytesMax: 2 ** 20 });
  expect(await endCall(redis, ended, 'canceled', new Problem('canceled'), Date.now())).toBe(true);
  // Its job counts as lost.
  await redis.zadd(stateKey(workspaceId, PLACED), 0, entryOf(open.id, 'acc_1'));
  await markDue(redis, workspaceId, 0);
  await redis.config('SET', 'maxmemory', '1');
  const other = await aSweeper(0);
  try {
    other.start();
    await eventually(async () => (await findCall(redis, workspaceId, ended.id)) === null);
  } finally {
    await other.stop();
    await redis.config('SET', 'maxmemory', '0');
  }
  expect(await findCall(redis, workspaceId, open.id)).toMatchObject({ status: 'queued' });
});

it('lets a call go on whose job was put off by a worker with a wrong clock, and leaves others alone', async () => {
  const workspaceId = newId('workspace');
  const [stuck, waits] = [aCall(workspaceId, Date.now()), aCall(workspaceId, Date.now())];
  const jobs = openAsyncQueue(redis);
  const delayed = async ({ id }: AsyncCall) => (await jobs.getJobState(id)) === 'delayed';
  for (const [call, delay] of [[stuck, 3_600_000] as const, [waits, 120_000] as const]) {
    await acceptCall(redis, call, null, { openMax: 10, bytesMax: 2 ** 20 });
    const ref = { workspaceId, callId: call.id, accountId: 'acc_1' };
    await jobs.add('call', { v: WIRE_VERSION, ...ref }, { jobId: call.id, delay });
    await redis.zadd(stateKey(workspaceId, PLACED), 0, entryOf(call.id, 'acc_1'));
  }
  await markDue(redis, workspaceId, 0);
  const other = await aSweeper(100);
  other.start();
  try {
    await eventually(async () => !(await delayed(stuck)));
    expect(await delayed(waits)).toBe(true);
  } finally {
    await other.stop();
    await jobs.close();
  }
});

it('places the calls of hundreds of workspaces that are due at the same time without a rest in between', async () => {
  const now = Date.now();
  const calls = Array.from({ length: 800 }, () => aCall(newId('workspace'), now));
  for (const call of calls) {
    const { id, workspaceId } = call;
    await acceptCall(redis, call, null, { openMax: 10, bytesMax: 2 ** 20 });
    await redis.zrem(stateKey(workspaceId, PLACED), entryOf(id, 'acc_1'));
    await redis.zadd(stateKey(workspaceId, WAITING), now, entryOf(id, 'acc_1'));
    await markDue(redis, workspaceId, now);
  }
  const placed = calls.map(({ workspaceId }) => stateKey(workspaceId, PLACED));
  const other = await aSweeper(100);
  // A rest never ends, so no second sweep begins.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    other.start();
    for (let count = 0; count < calls.length; await turn()) {
      const counts = await Promise.all(placed.map((key) => redis.zcard(key)));
      count = counts.filter((one) => one === 1).length;
    }
  } finally {
    vi.useRealTimers();
    await other.stop();
  }
});

it('ends a call that has expired while no worker ran for days, and it is found by its id', async () => {
  const workspaceId = newId('workspace');
  const call = aCall(workspaceId, Date.now() - 5 * DAY_MS);
  const { id } = call;
  await acceptCall(redis, call, null, { openMax: 10, bytesMax: 2 ** 20 });
  await markDue(redis, workspaceId, 0);
  expect(await findCall(redis, workspaceId, id)).toMatchObject({ status: 'queued' });
  const sweeper = await aSweeper(100);
  sweeper.start();
  try {
    await eventually(async () => (await findCall(redis, workspaceId, id))?.status === 'expired');
  } finally {
    await sweeper.stop();
  }
  expect(await findCallWorkspace(redis, id)).toBe(workspaceId);
  const [[, fields] = ['', [] as string[]]] = await redis.xrange(updatesKey(workspaceId), '-', '+');
  expect(fields.join()).toContain('"status":"expired"');
  const left = await redis.pttl(stateKey(workspaceId, `async:call:${id}`));
  expect(left).toBeGreaterThan(DAY_MS);
  expect(left).toBeLessThan(2 * DAY_MS);
});

it('removes what is beyond the calls that it keeps, however much there is, without waiting for another call', async () => {
  const workspaceId = newId('workspace');
  const key = stateKey(workspaceId, endedName('succeeded'));
  const now = Date.now();
  for (let n = 0; n < 20_000; n += 1_000) {
    const ids = Array.from({ length: 1_000 }, () => newId('call'));
    await redis.zadd(key, ...ids.flatMap((id) => [now, `${entryOf(id, 'acc_1')} succeeded`]));
  }
  await markDue(redis, workspaceId, 0);
  const other = await aSweeper(100);
  other.start();
  try {
    await eventually(async () => (await redis.zcard(key)) === 100, { timeoutMs: 30_000 });
  } finally {
    await other.stop();
  }
}, 40_000);

it('removes none of the calls that a process keeps because an operator has lowered how many may wait', async () => {
  const workspaceId = newId('workspace');
  const key = stateKey(workspaceId, endedName('succeeded'));
  const now = Date.now();
  const kept = async (sweeper: CallSweeper, count: number) => {
    await markDue(redis, workspaceId, 0);
    sweeper.start();
    try {
      await eventually(async () => (await redis.zcard(key)) === count);
    } finally {
      await sweeper.stop();
    }
  };
  const ids = Array.from({ length: 20 }, () => newId('call'));
  await redis.zadd(key, ...ids.flatMap((id) => [now, `${entryOf(id, 'acc_1')} succeeded`]));
  await kept(await aSweeper(1, { asyncCallsPerWorkspace: 15 }), 15);
  await kept(await aSweeper(10, { asyncCallsPerWorkspace: 5 }), 10);
});
