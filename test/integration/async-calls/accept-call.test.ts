import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AcceptKey } from '../../../src/async-calls/accept-call.ts';
import type { AsyncCall } from '../../../src/async-calls/async-call.ts';
import { findCallWorkspace } from '../../../src/async-calls/call-workspace.ts';
import { markDue, releaseWorkspace, takeDueWorkspaces } from '../../../src/async-calls/due-workspaces.ts';
import { findCall } from '../../../src/async-calls/find-call.ts';
import { readConfig } from '../../../src/config.ts';
import { newId } from '../../../src/ids.ts';
import { openLogger } from '../../../src/logger.ts';
import { Problem } from '../../../src/problem.ts';
import { AsyncCalls } from '../../../src/queue/async-calls.ts';
import { AsyncQueue } from '../../../src/queue/async-queue.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { directoryKey } from '../../../src/redis/keys.ts';
import { eventually } from '../../support/eventually.ts';
import { aClock } from '../../support/queue/test-calls.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';
import { Link } from '../../torture/rig/link.ts';

const OPEN_MAX = 10;

let server: TestRedis;
let link: Link;
/** Through the link, and past it. */
let redis: RedisConnection;
let direct: RedisConnection;
let calls: AsyncCalls;
let workspaceId: string;

beforeAll(async () => {
  server = await startTestRedis();
  link = await Link.open(server.port);
  redis = openRedis(`redis://127.0.0.1:${link.port}`, 'request', () => undefined);
  direct = openRedis(server.url, 'worker', () => undefined);
  await Promise.all([redis, direct].map(untilReady));
  const log = openLogger(readConfig({ REDIS_URL: server.url, LOG_LEVEL: 'silent' }), 'test');
  const queue = new AsyncQueue(direct);
  calls = new AsyncCalls({
    redis,
    queue,
    clock: await aClock(direct),
    limits: { openMax: OPEN_MAX, bytesMax: 2 ** 28 },
    log,
  });
  workspaceId = newId('workspace');
  // So that the script is there.
  await calls.accept(aCall(), null);
});

beforeEach(async () => {
  workspaceId = newId('workspace');
  await untilServed();
});

afterAll(async () => {
  for (const connection of [redis, direct]) connection.disconnect();
  await link.close();
  await server.stop();
});

async function untilServed(): Promise<void> {
  // Another connection than the one that is being cut.
  await new Promise((resolve) => setTimeout(resolve, 100));
  await eventually(() => redis.ping().catch(() => null));
}

function aCall(): AsyncCall {
  const now = Date.now();
  return {
    id: newId('call'),
    workspaceId,
    organizationId: newId('organization'),
    messengerAccountId: newId('messengerAccount'),
    method: 'help.getSupport',
    params: {},
    seed: 'seed',
    createdAt: now,
    scheduleAt: null,
    expiresAt: now + 60_000,
    replayOf: null,
  };
}

function aKey(call: AsyncCall): AcceptKey {
  return { ledger: `key-${call.id}`, payload: 'payload', frame: `202 -\n{"id":"${call.id}"}`, overdue: null };
}

/** Has the answer to the next recording of a call lost on its way, though it is made. */
function loseNextAnswer(): void {
  const evalsha = redis.evalsha.bind(redis);
  redis.evalsha = ((...args: Parameters<typeof evalsha>) => {
    if (args.some((arg) => String(arg).includes(':async:call:'))) {
      redis.evalsha = evalsha;
      link.lose('answers');
    }
    return evalsha(...args);
  }) as typeof redis.evalsha;
}

it('a call of which nobody can say whether it was taken in is not said to be refused, and can be looked for', async () => {
  const call = aCall();
  loseNextAnswer();
  const accepted = calls.accept(call, null);
  await expect(accepted).rejects.toMatchObject({
    code: 'outcome_unknown',
    message: expect.stringContaining(call.id),
  });
  link.heal();
  expect(await findCall(direct, workspaceId, call.id)).toMatchObject({ id: call.id, status: 'queued' });
  expect(await findCallWorkspace(direct, call.id)).toBe(workspaceId);
});

it('with a key it is said to be unavailable, and found when it is asked for again', async () => {
  const call = aCall();
  const key = aKey(call);
  loseNextAnswer();
  await expect(calls.accept(call, key)).rejects.not.toMatchObject({ code: 'outcome_unknown' });
  link.heal();
  await untilServed();
  expect(await calls.accept(aCall(), key)).toEqual({ replay: key.frame });
  expect(await findCallWorkspace(direct, call.id)).toBe(workspaceId);
});

it('a call that is too late is refused, unless its key was used before', async () => {
  const overdue = new Problem('invalid_body', { detail: 'The time is over.' });
  const call = aCall();
  const key = { ...aKey(call), overdue };
  await expect(calls.accept(call, key)).rejects.toBe(overdue);
  expect(await findCallWorkspace(direct, call.id)).toBeNull();
  expect(await calls.accept(call, aKey(call))).toEqual({ replay: null });
  expect(await calls.accept(aCall(), key)).toEqual({ replay: key.frame });
  await expect(calls.accept(aCall(), { ...key, payload: 'other' })).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  });
});

it.each(['with a key', 'without one'])(
  'a call %s whose acceptance is sent twice is taken in once',
  async (which) => {
    const call = aCall();
    loseNextAnswer();
    const accepted = calls.accept(call, which === 'with a key' ? aKey(call) : null);
    await new Promise((resolve) => setTimeout(resolve, 300));
    link.heal();
    expect(await accepted).toEqual({ replay: null });
    expect(await findCallWorkspace(direct, call.id)).toBe(workspaceId);
    expect(await direct.zcard(`sb:{${workspaceId}}:state:async:placed`)).toBe(1);
    expect(await direct.zcard(`sb:{${workspaceId}}:state:async:waiting`)).toBe(0);
  },
);

/** Takes and releases the due workspaces, as a worker does, just before the next call is recorded. */
function sweepBeforeNextRecord(next: number | null): void {
  const evalsha = redis.evalsha.bind(redis);
  redis.evalsha = (async (...args: Parameters<typeof evalsha>) => {
    if (args.some((arg) => String(arg).includes(':async:call:'))) {
      redis.evalsha = evalsha;
      const { until, ids } = await takeDueWorkspaces(direct, 50, 10_000);
      for (const id of ids) await releaseWorkspace(direct, id, until, next);
    }
    return evalsha(...args);
  }) as typeof redis.evalsha;
}

it.each([
  ['for a day', Date.now() + 24 * 3_600_000],
  ['for good', null],
])(
  'a scheduled call is looked after whose workspace was put off %s before it was recorded',
  async (_, next) => {
    const scheduleAt = Date.now() + 3_600_000;
    await markDue(direct, workspaceId, Date.now() - 1);
    sweepBeforeNextRecord(next);
    await calls.accept({ ...aCall(), scheduleAt, expiresAt: scheduleAt + 60_000 }, null);
    const due = await direct.zscore(directoryKey('async-workspaces'), workspaceId);
    expect(Number(due)).toBe(scheduleAt);
  },
);

it('a canceled call is removed in a day, however long it was to wait', async () => {
  const scheduleAt = Date.now() + 30 * 24 * 3_600_000;
  const call = { ...aCall(), scheduleAt, expiresAt: scheduleAt + 60_000 };
  await calls.accept(call, null);
  const dueAt = async () => Number(await direct.zscore(directoryKey('async-workspaces'), workspaceId));
  // As a worker does that finds nothing to do before.
  await direct.zadd(directoryKey('async-workspaces'), scheduleAt, workspaceId);
  expect(await calls.cancel(call)).toBe(true);
  expect(await dueAt()).toBeLessThan(scheduleAt);
  expect(await calls.cancel(call)).toBe(false);
});
