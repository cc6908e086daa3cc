import type { Queue } from 'bullmq';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { acceptCall, PLACED_MAX } from '../../../src/async-calls/accept-call.ts';
import {
  beginAttempt,
  type CallAttempt,
  type CallRef,
  leaveOwnProcess,
} from '../../../src/async-calls/attempt-call.ts';
import { findCall } from '../../../src/async-calls/find-call.ts';
import { readConfig } from '../../../src/config.ts';
import { Pauses } from '../../../src/control/pauses.ts';
import { recordsKey } from '../../../src/directory/records.ts';
import { Tenants } from '../../../src/directory/tenants.ts';
import { newId } from '../../../src/ids.ts';
import { openLogger } from '../../../src/logger.ts';
import { type AsyncJob, AsyncQueue, openAsyncQueue } from '../../../src/queue/async-queue.ts';
import { AsyncSlots } from '../../../src/queue/consume/async-slots.ts';
import { RedisClock } from '../../../src/redis/clock.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { slotLineKey, slotsKey } from '../../../src/redis/keys.ts';
import { NO_TRACING } from '../../../src/tracing/trace.ts';
import { AsyncRunner, type AsyncRunnerOptions } from '../../../workers/async-calls/async-runner.ts';
import { AttemptRunner } from '../../../workers/async-calls/attempt-runner.ts';
import { CallLog } from '../../../workers/call-log.ts';
import { type Driver, defineMethod } from '../../../workers/driver.ts';
import { CallExecutor } from '../../../workers/executor/call-executor.ts';
import { StopSignals } from '../../../workers/stop-signals.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const CAPS = { workspace: null, account: 1 };
const accountId = newId('messengerAccount');
const driver: Driver = {
  name: 'sandbox',
  methods: new Map([
    [
      'help.getSupport',
      defineMethod('help.getSupport', async () => ({
        _: 'help.support',
        phoneNumber: '',
        user: { _: 'userEmpty', id: 1 },
      })),
    ],
  ]),
  orders: new Map(),
  findFault: async () => null,
};

let server: TestRedis;
let redis: RedisConnection;
let submit: RedisConnection;
let queue: AsyncQueue;
let jobs: Queue<AsyncJob, void, 'call'>;
let slots: AsyncSlots;
let attempts: AttemptRunner;
let callLog: CallLog;
let gaveUp = 0;
let clock: RedisClock;
let workspaceId: string;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'state', () => undefined);
  submit = openRedis(server.url, 'submit', () => undefined);
  await Promise.all([redis, submit].map(untilReady));
  queue = new AsyncQueue(submit);
  jobs = openAsyncQueue(submit);
  slots = new AsyncSlots(redis);
  clock = new RedisClock(redis);
  await clock.start();
  clock.stop();
  const settings = readConfig({ REDIS_URL: server.url, LOG_LEVEL: 'silent' });
  const log = openLogger(settings, 'test');
  callLog = new CallLog(log, { SLOW_CALL_MS: 1_000 }, new Registry());
  attempts = new AttemptRunner({
    ...{ state: redis, clock, callLog, log, settings, signals: new StopSignals(), tracing: NO_TRACING },
    executor: new CallExecutor({
      ...{ state: redis, clock, drivers: new Map([[driver.name, driver]]), crashFaults: false },
    }),
    listener: { ended: () => undefined, retried: () => undefined, gaveUp: () => (gaveUp += 1) },
  });
});

beforeEach(async () => {
  workspaceId = newId('workspace');
  const account = { id: accountId, workspaceId, driver: driver.name, userId: 1 };
  await redis.hset(recordsKey('messenger-accounts'), accountId, JSON.stringify(account));
});

afterAll(async () => {
  callLog.stop();
  await Promise.all([queue.close(), jobs.close()]);
  for (const connection of [redis, submit]) connection.disconnect();
  await server.stop();
});

function aRunner(more: Partial<AsyncRunnerOptions> = {}): AsyncRunner {
  return new AsyncRunner({
    ...{ state: redis, queue, slots, clock, attempts, runMs: 60_000 },
    accounts: { find: async () => null },
    control: { pauses: new Pauses(), round: 0 },
    tenants: new Tenants(redis, { isFresh: () => true }),
    loneProcesses: { run: () => Promise.reject(new Error('no process for one call is started here')) },
    listener: { ended: () => undefined, retried: () => undefined },
    retention: { touch: () => undefined },
    deliveries: { touch: () => undefined },
    syncCallsRunning: () => 0,
    ...more,
  });
}

async function aCall(): Promise<CallRef> {
  const [id, createdAt] = [newId('call'), Date.now()];
  const call = {
    ...{ id, workspaceId, organizationId: 'org_1', messengerAccountId: accountId, method: 'help.getSupport' },
    ...{ params: {}, seed: id, createdAt, scheduleAt: null, expiresAt: createdAt + 60_000, replayOf: null },
  };
  await acceptCall(redis, call, null, { openMax: 100, bytesMax: 2 ** 28 });
  return { workspaceId, callId: id, accountId };
}

/** A call whose process has died with it. */
async function aSuspect(): Promise<CallRef> {
  const ref = await aCall();
  await beginAttempt(redis, ref, false);
  return ref;
}

const wanted = () => ({ runAt: 0, endsAt: Date.now() + 60_000, pauseMs: 400 });
const statusOf = async ({ callId }: CallRef) => (await findCall(redis, workspaceId, callId))?.status;
const withCaps = { find: async () => ({ caps: CAPS }) } as unknown as AsyncRunnerOptions['accounts'];

it('puts the next call on the queue as soon as one has ended', async () => {
  const placed = await Promise.all(Array.from({ length: PLACED_MAX }, aCall));
  const next = await aCall();
  expect(await aRunner().run(placed[0] as CallRef)).toBeNull();
  expect(await jobs.getJob(next.callId)).toMatchObject({ data: next });
});

it('lets callers go first, and not for ever', async () => {
  const ref = await aCall();
  let looks = 0;
  const runner = aRunner({
    syncCallsRunning: () => {
      looks += 1;
      // Busy for far longer than it may wait, and not without end.
      return looks < 1_000 ? 100 : 0;
    },
  });
  expect(await runner.run(ref)).toBeNull();
  expect(await statusOf(ref)).toBe('succeeded');
  expect(looks).toBeGreaterThan(1);
  expect(looks).toBeLessThan(1_000);
});

it('tries a call again that has killed its process, until that is certain', async () => {
  const ref = await aSuspect();
  const loneProcesses = {
    async run() {
      await beginAttempt(redis, ref, true);
      return 'died' as const;
    },
  };
  const runner = aRunner({ loneProcesses });
  expect(await runner.run(ref)).toBeGreaterThan(0);
  expect(await runner.run(ref)).toBeGreaterThan(0);
  expect(await runner.run(ref)).toBeNull();
  expect(await findCall(redis, workspaceId, ref.callId)).toMatchObject({
    status: 'failed',
    end: { error: { code: 'outcome_unknown' } },
  });
  expect(gaveUp).toBe(1);
});

it('counts the calls that run, also in processes of their own, and not those that wait for a slot', async () => {
  const [ref, other] = [await aSuspect(), await aCall()];
  const seen: number[] = [];
  const runner = aRunner({
    accounts: withCaps,
    loneProcesses: {
      async run() {
        seen.push(runner.running);
        // The first call has the only slot.
        expect(await runner.run(other)).toBeGreaterThan(0);
        seen.push(runner.running);
        return null;
      },
    },
  });
  await runner.run(ref);
  expect([...seen, runner.running]).toEqual([1, 1, 0]);
});

it('asks the later for slots the more calls wait for them, and as soon as ever for another organization', async () => {
  const runner = aRunner({ accounts: withCaps });
  const waiting = await Promise.all(Array.from({ length: PLACED_MAX }, aCall));
  await slots.take(await aCall(), CAPS, wanted());
  const start = performance.now();
  for (let polls = 0; polls < 800; polls += 1) {
    const pauseMs = (await runner.run(waiting[polls % PLACED_MAX] as CallRef)) as number;
    // It is half of the whole at least.
    expect(performance.now() + 2 * pauseMs).toBeGreaterThan(start + 5 * polls);
  }
  workspaceId = newId('workspace');
  await slots.take(await aCall(), CAPS, wanted());
  const pauseMs = await runner.run(await aCall());
  expect(pauseMs).toBeGreaterThan(0);
  expect(pauseMs).toBeLessThanOrEqual(400);
});

it('notes in the line when a call asks again that waits for a slot', async () => {
  await slots.take(await aCall(), CAPS, wanted());
  const before = Date.now();
  const waits = await aCall();
  const pauseMs = await aRunner({ accounts: withCaps }).run(waits);
  const entry = await redis.hget(slotLineKey(workspaceId, accountId), `background:${waits.callId}`);
  expect(Number(entry?.split(' ')[1])).toBeGreaterThanOrEqual(before + Math.floor(pauseMs as number));
});

it('a call that has to wait in a process of its own leaves that to others and goes on here', async () => {
  const ref = await aSuspect();
  const loneProcesses = {
    async run() {
      const attempt = await beginAttempt(redis, ref, true);
      await leaveOwnProcess(redis, ref, attempt as CallAttempt);
      return { ended: null, retried: false, waits: true };
    },
  };
  expect(await aRunner({ loneProcesses }).run(ref)).toBeNull();
  expect(await findCall(redis, workspaceId, ref.callId)).toMatchObject({ status: 'succeeded', attempts: 2 });
});

it('a call in a process of its own begins only if it still has its slot, which is then free', async () => {
  const [ref, other] = [await aSuspect(), await aCall()];
  const may: boolean[] = [];
  const runner = aRunner({
    accounts: withCaps,
    loneProcesses: {
      async run(_ref, _tenant, mayBegin) {
        // The first process took so long to start that the slot has ended, and another call has it.
        if (may.length === 0) {
          await redis.del(slotsKey(workspaceId, accountId));
          await slots.take(other, CAPS, wanted());
        }
        may.push(await mayBegin());
        return null;
      },
    },
  });
  expect(await runner.run(ref)).toBeGreaterThan(0);
  expect(may).toEqual([false]);
  await slots.free(other, CAPS);
  expect(await runner.run(ref)).toBeGreaterThan(0);
  expect(may).toEqual([false, true]);
  expect(await redis.zcard(slotsKey(workspaceId, accountId))).toBe(0);
});

it('a call that goes on here after a process of its own takes its slot again for that', async () => {
  const [ref, other] = [await aSuspect(), await aCall()];
  const runner = aRunner({
    accounts: withCaps,
    loneProcesses: {
      async run() {
        const attempt = await beginAttempt(redis, ref, true);
        await leaveOwnProcess(redis, ref, attempt as CallAttempt);
        // The attempt took so long that the slot has ended, and another call has it.
        await redis.del(slotsKey(workspaceId, accountId));
        await slots.take(other, CAPS, wanted());
        return { ended: null, retried: false, waits: true };
      },
    },
  });
  expect(await runner.run(ref)).toBeGreaterThan(0);
  expect(await statusOf(ref)).toBe('queued');
  await slots.free(other, CAPS);
  expect(await runner.run(ref)).toBeNull();
  expect(await statusOf(ref)).toBe('succeeded');
  expect(await redis.zcard(slotsKey(workspaceId, accountId))).toBe(0);
});
