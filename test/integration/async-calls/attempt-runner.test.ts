import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { acceptCall } from '../../../src/async-calls/accept-call.ts';
import { beginAttempt } from '../../../src/async-calls/attempt-call.ts';
import { findCall } from '../../../src/async-calls/find-call.ts';
import { type Config, readConfig } from '../../../src/config.ts';
import { DELETIONS } from '../../../src/directory/deletions.ts';
import { recordsKey } from '../../../src/directory/records.ts';
import { newId } from '../../../src/ids.ts';
import { openLogger } from '../../../src/logger.ts';
import { Problem } from '../../../src/problem.ts';
import { RedisClock } from '../../../src/redis/clock.ts';
import { stateKey } from '../../../src/redis/keys.ts';
import { NO_TRACING } from '../../../src/tracing/trace.ts';
import type { TraceContext } from '../../../src/tracing/trace-context.ts';
import { AttemptRunner } from '../../../workers/async-calls/attempt-runner.ts';
import { CallLog } from '../../../workers/call-log.ts';
import { type Driver, defineMethod, MessengerError } from '../../../workers/driver.ts';
import { CallExecutor } from '../../../workers/executor/call-executor.ts';
import { StopSignals } from '../../../workers/stop-signals.ts';
import { redis, useRedis, ws } from '../../support/redis/commits.ts';

useRedis();

const RESULT_MAX = 1024 * 1024;
const accountId = newId('messengerAccount');

let resultSize = 0;
let fault: Awaited<ReturnType<Driver['findFault']>> = null;
let meanwhile: () => Promise<void> = async () => undefined;
let runner: AttemptRunner;
let settings: Config;
let callLog: CallLog;
let clock: RedisClock;
const log = openLogger({ LOG_LEVEL: 'silent' }, 'test');
/** The organizations whose runs asked to be traced, of which that many may be. */
const asked: string[] = [];
let mayRun = 0;
let resumed = 0;
let retried = 0;

/** Its method writes something and gives a result of about `resultSize` characters. */
const driver: Driver = {
  name: 'sandbox',
  methods: new Map([
    [
      'help.getSupport',
      defineMethod('help.getSupport', async (_, { tx, id }) => {
        await meanwhile();
        tx.hset('done', id, 'x');
        return { _: 'help.support', phoneNumber: '1'.repeat(resultSize), user: { _: 'userEmpty', id: 1 } };
      }),
    ],
  ]),
  orders: new Map(),
  findFault: async () => fault,
};

beforeAll(async () => {
  settings = readConfig({ REDIS_URL: 'redis://127.0.0.1', LOG_LEVEL: 'silent' });
  // It asks again and again: one answer that came late would leave it wrong.
  clock = new RedisClock(redis);
  await clock.start();
  callLog = new CallLog(log, { SLOW_CALL_MS: 1_000 }, new Registry());
  runner = new AttemptRunner({
    state: redis,
    clock,
    executor: new CallExecutor({
      state: redis,
      clock,
      drivers: new Map([[driver.name, driver]]),
      crashFaults: false,
    }),
    signals: new StopSignals(),
    callLog,
    tracing: {
      ...NO_TRACING,
      mayRun: (organizationId) => asked.push(organizationId) <= mayRun,
      resume() {
        resumed += 1;
        return undefined;
      },
    },
    log,
    listener: { ended: () => undefined, retried: () => (retried += 1) },
    settings,
  });
  const account = { id: accountId, workspaceId: ws, driver: 'sandbox', userId: 1, faults: true };
  await redis.hset(recordsKey('messenger-accounts'), accountId, JSON.stringify(account));
});

afterAll(() => {
  callLog.stop();
  clock.stop();
});

async function endOf(
  size: number,
  expiresInMs = 60_000,
  more: { trace?: TraceContext; scheduleAt?: number; makers?: string[] } = {},
) {
  resultSize = size;
  const id = newId('call');
  const call = {
    ...{
      id,
      workspaceId: ws,
      organizationId: 'org_1',
      messengerAccountId: accountId,
      method: 'help.getSupport',
    },
    ...{ params: {}, seed: id, createdAt: Date.now(), scheduleAt: null, replayOf: null },
    expiresAt: Date.now() + expiresInMs,
    ...more,
  };
  await acceptCall(redis, call, null, { openMax: 10, bytesMax: 100 * RESULT_MAX });
  await runner.run({ workspaceId: ws, callId: id, accountId }, true);
  const found = await findCall(redis, ws, id);
  const isDone = (await redis.hexists(stateKey(ws, 'done'), id)) === 1;
  return { id, status: found?.status, error: found?.end?.error, isDone };
}

it('an async call whose result is too large to be kept fails, and has done nothing', async () => {
  expect(await endOf(RESULT_MAX - 1_000)).toMatchObject({ status: 'succeeded', error: null, isDone: true });
  expect(await endOf(RESULT_MAX)).toMatchObject({
    status: 'failed',
    error: { code: 'call_too_large', detail: expect.stringContaining('Ask for less') },
    isDone: false,
  });
});

it('an async call whose API key is being deleted is canceled, though it was accepted after that', async () => {
  const [own, gone] = [newId('apiKey'), newId('apiKey')];
  await redis.hset(DELETIONS, gone, '{}');
  expect(await endOf(1_000, 60_000, { makers: [own] })).toMatchObject({ status: 'succeeded' });
  expect(await endOf(1_000, 60_000, { makers: [gone, own] })).toMatchObject({
    status: 'canceled',
    error: { code: 'canceled' },
    isDone: false,
  });
  await redis.hdel(DELETIONS, gone);
});

it('an async call whose time ends while it runs takes effect', async () => {
  meanwhile = () => sleep(2_300);
  expect(await endOf(1_000, 2_000)).toMatchObject({ status: 'succeeded', isDone: true });
});

it('an async call that could be tried again only when its time is over fails with what went wrong', async () => {
  meanwhile = async () => {
    throw new MessengerError('FLOOD_WAIT_30');
  };
  const end = { status: 'failed', error: { code: 'FLOOD_WAIT' }, isDone: false };
  expect(await endOf(1_000, 20_000)).toMatchObject(end);
  expect(await endOf(1_000, 60_000)).toMatchObject({ status: 'queued', isDone: false });
});

it('counts as a retry only what is tried again, and not an attempt that another one has taken over from', async () => {
  meanwhile = async () => {
    throw new MessengerError('FLOOD_WAIT_30');
  };
  const before = retried;
  await endOf(1_000, 60_000);
  expect(retried).toBe(before + 1);
  let callId = '';
  meanwhile = async () => {
    [callId = ''] = await redis.zrange(stateKey(ws, 'async:list:running:all'), '0', '-1');
    // As if this process was taken for dead.
    await beginAttempt(redis, { workspaceId: ws, callId, accountId }, true);
    throw new MessengerError('FLOOD_WAIT_30');
  };
  const { id, status } = await endOf(1_000, 60_000);
  expect([callId, status]).toEqual([id, 'running']);
  expect(retried).toBe(before + 1);
});

it('is tried again too where a fault would close the connection of its caller', async () => {
  fault = { disconnect: true };
  expect(await endOf(1_000, 60_000)).toMatchObject({ status: 'queued', isDone: false });
  fault = null;
});

it('an async call that has to wait while it runs alone goes on where others run, and waits alone the next time', async () => {
  meanwhile = async () => undefined;
  const delayMs = 6_000;
  fault = { delayMs };
  const startedAt = performance.now();
  const { id, status } = await endOf(1_000);
  expect(status).toBe('queued');
  expect(performance.now() - startedAt).toBeLessThan(delayMs);
  const ref = { workspaceId: ws, callId: id, accountId };
  // The process in which it goes on is killed.
  expect(await beginAttempt(redis, ref, false)).toMatchObject({ attempts: 1 });
  expect(await runner.run(ref, false)).toBe('suspect');
  expect(await runner.run(ref, true)).toBe('over');
  expect(performance.now() - startedAt).toBeGreaterThan(delayMs);
  expect(await findCall(redis, ws, id)).toMatchObject({ status: 'succeeded', attempts: 2 });
  fault = null;
});

it('an async call that has waited for longer than an attempt may run has its time from when that begins', async () => {
  meanwhile = async () => undefined;
  const scheduleAt = Date.now() - 3_600_000;
  expect(await endOf(1_000, 60_000, { scheduleAt })).toMatchObject({ status: 'succeeded', isDone: true });
});

it('an async call that is taken up when its time is over expires, and has done nothing', async () => {
  expect(await endOf(1_000, -1)).toMatchObject({ status: 'expired', isDone: false });
});

it('a run of an async call is traced if its request was and its organization has not too many', async () => {
  expect([asked, resumed]).toEqual([[], 0]);
  mayRun = 1;
  const trace = { parent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
  await endOf(1_000, 60_000, { trace });
  // How long it waited, and its run.
  expect(resumed).toBe(2);
  await endOf(1_000, 60_000, { trace });
  expect([asked, resumed]).toEqual([['org_1', 'org_1'], 2]);
});

it('an async call that a stopping worker puts back goes on soon, however long a failed one waits', async () => {
  settings.ASYNC_CALL_RETRY_MS = 600_000;
  meanwhile = async () => {
    throw new MessengerError('INTERDC_1_CALL_ERROR');
  };
  const waitOf = async (id: string) => ((await findCall(redis, ws, id))?.runAt ?? 0) - Date.now();
  const attemptsOf = async (id: string) => (await findCall(redis, ws, id))?.attempts;
  const failed = await endOf(1_000, 3_600_000);
  expect(await waitOf(failed.id)).toBeGreaterThan(200_000);
  expect(await attemptsOf(failed.id)).toBe(1);
  meanwhile = async () => {
    throw new Problem('shutting_down');
  };
  const { id, status } = await endOf(1_000, 3_600_000);
  expect(status).toBe('queued');
  expect(await waitOf(id)).toBeLessThan(1_500);
  // Eight workers that stop would otherwise use up all its attempts.
  expect(await attemptsOf(id)).toBe(0);
  meanwhile = async () => undefined;
});

it('logs the end of a call that did not run, once', async () => {
  const lines = vi.spyOn(log, 'info');
  const { id } = await endOf(1_000, -1);
  expect(lines.mock.calls).toEqual([
    [expect.objectContaining({ callId: id, workspaceId: ws, code: 'call_expired' }), 'call expired'],
  ]);
  lines.mockClear();
  await redis.hdel(recordsKey('messenger-accounts'), accountId);
  expect(await endOf(1_000)).toMatchObject({ status: 'failed', error: { code: 'not_found' } });
  expect(lines.mock.calls).toEqual([[expect.objectContaining({ code: 'not_found' }), 'call failed']]);
  lines.mockRestore();
});
