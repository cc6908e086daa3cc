import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { LEDGER_GRACE_MS } from '../../../src/ledger/retention.ts';
import { type Lane, openQueue, queueName, returnedJobId } from '../../../src/queue/queues.ts';
import { Dispatcher } from '../../../src/queue/submit/dispatcher.ts';
import type { PendingCall } from '../../../src/queue/submit/pending-call.ts';
import { type CallBatch, WIRE_VERSION } from '../../../src/queue/wire.ts';
import type { RedisClock } from '../../../src/redis/clock.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { queuePrefix, STOP_CHANNEL } from '../../../src/redis/keys.ts';
import { eventually } from '../../support/eventually.ts';
import { aCallBatch } from '../../support/queue/pending-calls.ts';
import { aClock, TestCalls } from '../../support/queue/test-calls.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';
import { Link } from '../../torture/rig/link.ts';

const REPLY = { status: 200, offset: null, headers: {}, body: '{}' };
const SHARD = 1;

let server: TestRedis;
let redis: RedisConnection;
let queueConnection: RedisConnection;
let subscriber: RedisConnection;
let clock: RedisClock;
let dispatcher: Dispatcher;
let calls: TestCalls;
let ended: string[];
let stopped: string[];

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'worker', () => undefined);
  subscriber = openRedis(server.url, 'subscriber', () => undefined);
  await Promise.all([redis, subscriber].map(untilReady));
  await subscriber.ssubscribe(STOP_CHANNEL);
  subscriber.on('smessage', (_channel: string, id: string) => stopped.push(id));
  clock = await aClock(redis);
});

beforeEach(async () => {
  await redis.flushall();
  [ended, stopped] = [[], []];
  queueConnection = openRedis(server.url, 'submit', () => undefined);
  await untilReady(queueConnection);
  calls = new TestCalls(redis, clock, {
    queued: (pending) => dispatcher.push(pending),
    moved: (pending) => dispatcher.move(pending),
    ended: (pending, how) => {
      ended.push(how);
      dispatcher.leave(pending, how);
    },
  });
  dispatcher = open(SHARD);
});

afterEach(async () => {
  await dispatcher.close();
  queueConnection.disconnect();
});

afterAll(async () => {
  subscriber.disconnect();
  redis.disconnect();
  await server.stop();
});

function open(shard: number): Dispatcher {
  return new Dispatcher({
    ...{ shard, redis, queueConnection, processName: 'boot', replyTo: 'replies' },
    freshness: { isFresh: () => true },
    workers: { count: 1 },
    calls: calls.calls,
  });
}

const jobKey = (lane: Lane, id: string) => `${queuePrefix(SHARD)}:${queueName(lane, WIRE_VERSION)}:${id}`;
const hasJob = async (lane: Lane, { batch }: PendingCall) =>
  (await redis.keys(`*:${queueName(lane, WIRE_VERSION)}:${batch?.id}`)).length === 1;
const isSent = ({ state }: PendingCall) => state === 'sent';

/** Opens calls that go out together, and waits until their job is there. */
async function sendTogether(
  count: number,
  more: Parameters<TestCalls['open']>[0] = {},
): Promise<PendingCall[]> {
  const opened = Array.from({ length: count }, () => calls.open(more));
  await eventually(() => opened.every(isSent));
  for (const pending of opened) await eventually(() => hasJob(pending.lane, pending));
  return opened;
}

async function jobOf(lane: Lane, { batch }: PendingCall): Promise<CallBatch> {
  return JSON.parse((await redis.hget(jobKey(lane, batch?.id ?? ''), 'data')) ?? 'null');
}

it('puts calls into a job of the shard, in their order, with what a worker and the caller need', async () => {
  const opened = [10_000, 40_000, 20_000].map((timeoutMs) => calls.open({ timeoutMs }));
  const [first, longest] = opened as [PendingCall, PendingCall];
  await eventually(() => hasJob('shared', first));
  const batch = first.batch;
  expect(opened.map((pending) => pending.batch)).toEqual([batch, batch, batch]);
  const ledgerExpiresAt = longest.call.notAfter + LEDGER_GRACE_MS;
  expect(batch).toMatchObject({ id: 'boot-2.1', ledgerExpiresAt, unanswered: 3 });
  expect(await jobOf('shared', first)).toEqual({
    ...{ v: WIRE_VERSION, id: 'boot-2.1', ledgerExpiresAt, replyTo: 'replies' },
    calls: opened.map(({ call }) => call),
  });
});

it('names the jobs of the first shard by the process alone', async () => {
  await dispatcher.close();
  dispatcher = open(0);
  const [pending] = await sendTogether(1, { lane: 'slow' });
  expect(pending?.batch?.id).toBe('boot.1');
});

describe('a call of the slow lane', () => {
  it('goes at once in a job of its own, and is not counted in the window', async () => {
    const opened = [1, 2, 3].map(() => calls.open({ lane: 'slow' }));
    expect(opened.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
    expect(new Set(opened.map(({ batch }) => batch?.id)).size).toBe(3);
    for (const pending of opened) {
      await eventually(() => hasJob('slow', pending));
      expect((await jobOf('slow', pending)).calls).toEqual([pending.call]);
      expect(await hasJob('shared', pending)).toBe(false);
    }
    expect([dispatcher.outstanding, dispatcher.backlog]).toEqual([0, 0]);
    for (const { call } of opened) calls.calls.answer(call.number, REPLY);
    expect(dispatcher.outstanding).toBe(0);
    expect(ended).toEqual(['replied', 'replied', 'replied']);
  });

  it('is taken back and told to stop when it will never run, and not when it is answered', async () => {
    const [dropped, answered] = (await sendTogether(2, { lane: 'slow' })) as [PendingCall, PendingCall];
    calls.calls.answer(answered.call.number, REPLY);
    await calls.calls.end(dropped, 'canceled');
    await eventually(async () => !(await hasJob('slow', dropped)));
    await eventually(() => stopped.length > 0);
    expect(stopped).toEqual([dropped.call.id]);
    expect(await hasJob('slow', answered)).toBe(true);
  });
});

describe('a call that a worker has moved to the slow lane', () => {
  /** Adds the job that a worker moves the call to. */
  async function moveToSlow({ call, batch }: PendingCall, jobId = call.id): Promise<void> {
    const slow = openQueue('slow', redis, SHARD, WIRE_VERSION);
    await slow.add('calls', aCallBatch(WIRE_VERSION, [call]), { jobId });
    await slow.close();
    expect(batch).not.toBeNull();
    calls.calls.move(call.number);
  }

  it('gives its permit back at once, and once only', async () => {
    const opened = (await sendTogether(3)) as [PendingCall, PendingCall, PendingCall];
    await moveToSlow(opened[0]);
    expect(dispatcher.outstanding).toBe(2);
    for (const { call } of opened) calls.calls.answer(call.number, REPLY);
    expect(dispatcher.outstanding).toBe(0);
  });

  it.each([
    ['there', (id: string) => id],
    ['there again from the lone lane', returnedJobId],
  ])('is taken back and told to stop when it will never run: moved %s', async (_, toJobId) => {
    const [first, other] = (await sendTogether(2)) as [PendingCall, PendingCall];
    const jobId = toJobId(first.call.id);
    await moveToSlow(first, jobId);
    await calls.calls.end(first, 'canceled');
    await eventually(() => stopped.length > 0);
    expect(stopped).toEqual([first.call.id]);
    await eventually(async () => (await redis.exists(jobKey('slow', jobId))) === 0);
    expect(await hasJob('shared', other)).toBe(true);
  });
});

it('takes the job of a batch back when none of its calls will run, and not before', async () => {
  const opened = await sendTogether(4);
  const [first, second, third, last] = opened as [PendingCall, PendingCall, PendingCall, PendingCall];
  await calls.calls.end(first, 'canceled');
  calls.calls.answer(second.call.number, REPLY);
  await calls.calls.end(third, 'canceled');
  // More than the time that a removal takes.
  await redis.ping();
  await sleep(50);
  expect(await hasJob('shared', last)).toBe(true);
  await calls.calls.end(last, 'canceled');
  await eventually(async () => !(await hasJob('shared', last)));
  expect(stopped).toEqual([]);
  expect(ended).toEqual(['never runs', 'replied', 'never runs', 'never runs']);
  expect(dispatcher.outstanding).toBe(0);
});

it('leaves the job of a call that has ended in another way to the workers', async () => {
  const [pending] = (await sendTogether(1)) as [PendingCall];
  calls.calls.answer(pending.call.number, REPLY);
  await sleep(50);
  expect(await hasJob('shared', pending)).toBe(true);
});

it('fails calls, without the ledger, when the queue has been out of reach for two seconds', async () => {
  queueConnection.disconnect();
  await eventually(() => queueConnection.status !== 'ready');
  const opened = [calls.open(), calls.open({ lane: 'slow' })];
  for (const pending of opened) expect(await calls.answerOf(pending)).toMatchObject({ code: 'unavailable' });
  expect(ended).toEqual(['other', 'other']);
  expect(await redis.keys('*ledger*')).toEqual([]);
  expect([dispatcher.outstanding, dispatcher.backlog]).toEqual([0, 0]);
});

it('needs no ledger for calls whose job Redis has refused', async () => {
  await sendTogether(1);
  await redis.config('SET', 'maxmemory', '1');
  try {
    expect(await calls.answerOf(calls.open())).toMatchObject({ code: 'unavailable' });
  } finally {
    await redis.config('SET', 'maxmemory', '0');
  }
  expect(ended).toEqual(['other']);
  expect(await redis.keys('*ledger*')).toEqual([]);
});

it('asks the ledger of calls of whose job nobody knows whether it was added', async () => {
  await dispatcher.close();
  const link = await Link.open(server.port);
  queueConnection.disconnect();
  queueConnection = openRedis(`redis://127.0.0.1:${link.port}`, 'request', () => undefined);
  await untilReady(queueConnection);
  dispatcher = open(0);
  const [first] = (await sendTogether(1)) as [PendingCall];
  calls.calls.answer(first.call.number, REPLY);
  link.lose('answers');
  const unknown = calls.open();
  await eventually(() => hasJob('shared', unknown));
  await link.close();
  expect(await calls.answerOf(unknown)).toMatchObject({ code: 'unavailable' });
  expect(ended).toEqual(['replied', 'never runs']);
  expect(unknown.batch).not.toBeNull();
});

it('carries 96 calls in a job at most, and no more than 96 KiB, but always one', async () => {
  const opened = await sendTogether(200);
  const sizes = () => {
    const counts = new Map<string, number>();
    for (const { batch } of opened) counts.set(batch?.id ?? '', (counts.get(batch?.id ?? '') ?? 0) + 1);
    return [...counts.values()];
  };
  expect(Math.max(...sizes())).toBe(96);
  for (const { call } of opened) calls.calls.answer(call.number, REPLY);
  const large = await sendTogether(6, { bytes: 40 * 1024 });
  expect(new Set(large.map(({ batch }) => batch?.id)).size).toBe(3);
  const [huge] = await sendTogether(1, { bytes: 4 * 1024 * 1024 });
  expect(huge?.state).toBe('sent');
});

it('says what waits beyond the window, and for how long', async () => {
  const opened = Array.from({ length: 500 }, () => calls.open({ workspaceId: 'ws_1' }));
  const waiting = () => opened.filter(({ state }) => state === 'queued');
  await eventually(() => waiting().length <= 500 - 384);
  expect(dispatcher.backlog).toBe(waiting().length);
  expect(dispatcher.outstanding).toBeLessThanOrEqual(384);
  expect(dispatcher.outstanding).toBeGreaterThan(350);
  expect(dispatcher.permits).toBe(384);
  await sleep(5);
  const other = calls.open();
  expect(other.call.acceptedAt).toBeGreaterThan(waiting()[0]?.call.acceptedAt as number);
  expect(dispatcher.oldestWaitsSince).toBe(waiting()[0]?.call.acceptedAt);
  for (const { call } of [...opened, other]) calls.calls.answer(call.number, REPLY);
  await eventually(() => dispatcher.outstanding === 0 && dispatcher.backlog === 0);
  expect(dispatcher.oldestWaitsSince).toBeNull();
});

it('lets calls go on without a permit that nobody answers, and takes none from them twice', async () => {
  const opened = await sendTogether(6);
  await eventually(() => dispatcher.outstanding === 0);
  expect(opened.map(({ state, hasPermit }) => [state, hasPermit])).toEqual(Array(6).fill(['sent', false]));
  for (const { call } of opened) calls.calls.answer(call.number, REPLY);
  expect(dispatcher.outstanding).toBe(0);
});

describe('while many calls are outstanding', () => {
  const EARLY_EVERY_MS = 5;
  const HOLD_MAX_MS = 30;

  beforeEach(async () => {
    await dispatcher.close();
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    dispatcher = open(SHARD);
    const [slow] = (await send(1)) as [PendingCall];
    // Else the connection would take the answer that is still to come for one that does not come.
    await queueConnection.ping();
    vi.advanceTimersByTime(20_000);
    calls.calls.answer(slow.call.number, REPLY);
    await send(40);
    // They were a newcomer's, too.
    vi.advanceTimersByTime(EARLY_EVERY_MS);
  });

  afterEach(() => void vi.useRealTimers());

  const openCall = (workspaceId: string) => calls.open({ workspaceId, timeoutMs: 60_000 });

  /** Lets the dispatcher have its turns of the event loop. */
  async function turns(): Promise<void> {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Sends calls of one workspace, and waits until their job was added. */
  async function send(count: number): Promise<PendingCall[]> {
    const opened = Array.from({ length: count }, () => openCall('ws_busy'));
    while (!opened.every(isSent) || !(await hasJob('shared', opened[0] as PendingCall))) await turns();
    return opened;
  }

  it('holds a job of few calls until 30 ms after the last one', async () => {
    const held = openCall('ws_busy');
    await turns();
    vi.advanceTimersByTime(HOLD_MAX_MS - EARLY_EVERY_MS - 1);
    await turns();
    expect(held.state).toBe('queued');
    vi.advanceTimersByTime(1);
    await turns();
    expect(held.state).toBe('sent');
  });

  it('sends at once what comes from a workspace with nothing outstanding, but no two such jobs within 5 ms', async () => {
    const held = openCall('ws_busy');
    await turns();
    expect(held.state).toBe('queued');
    const newcomer = openCall('ws_new');
    await turns();
    expect([newcomer.state, held.state]).toEqual(['sent', 'sent']);
    const second = openCall('ws_other');
    await turns();
    vi.advanceTimersByTime(EARLY_EVERY_MS - 1);
    await turns();
    expect(second.state).toBe('queued');
    vi.advanceTimersByTime(1);
    await turns();
    expect(second.state).toBe('sent');
  });
});
