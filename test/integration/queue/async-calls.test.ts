import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AsyncCall } from '../../../src/async-calls/async-call.ts';
import { cleanCalls } from '../../../src/async-calls/clean-calls.ts';
import { markDue, releaseWorkspace, takeDueWorkspaces } from '../../../src/async-calls/due-workspaces.ts';
import { newId } from '../../../src/ids.ts';
import { asyncEntry } from '../../../src/ledger/entry.ts';
import { openLogger } from '../../../src/logger.ts';
import { Problem } from '../../../src/problem.ts';
import { AsyncCalls } from '../../../src/queue/async-calls.ts';
import { ASYNC_QUEUE, ASYNC_SHARD, AsyncQueue } from '../../../src/queue/async-queue.ts';
import { RedisClock } from '../../../src/redis/clock.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { ledgerKey, queuePrefix } from '../../../src/redis/keys.ts';
import { batchReads } from '../../../src/state/batch-reads.ts';
import { commit } from '../../../src/state/commit.ts';
import { Transaction } from '../../../src/state/transaction.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const LEASE_MS = 5_000;
const log = openLogger({ LOG_LEVEL: 'silent' }, 'test');

let server: TestRedis;
let redis: RedisConnection;
let clock: RedisClock;
let calls: AsyncCalls;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'state', () => undefined);
  await untilReady(redis);
  clock = new RedisClock(redis);
  await clock.start();
  calls = new AsyncCalls({
    redis,
    queue: new AsyncQueue(redis),
    clock,
    limits: { openMax: 2, bytesMax: 2 ** 28 },
    log,
  });
});

afterAll(async () => {
  clock.stop();
  redis.disconnect();
  await server.stop();
});

beforeEach(() => redis.flushall());

function aCall(more: Partial<AsyncCall> = {}): AsyncCall {
  const [id, createdAt] = [newId('call'), Math.floor(clock.now())];
  return {
    id,
    workspaceId: newId('workspace'),
    organizationId: newId('organization'),
    messengerAccountId: newId('messengerAccount'),
    method: 'help.getSupport',
    params: {},
    seed: id,
    createdAt,
    scheduleAt: null,
    expiresAt: createdAt + 60_000,
    replayOf: null,
    ...more,
  };
}

const placeKeys = () => redis.keys('sb:call:*');
const take = () => takeDueWorkspaces(redis, 10, LEASE_MS);

it('looks again at a workspace that got a call while it was looked at', async () => {
  await markDue(redis, 'ws_1', clock.now() - 1_000);
  const taken = await take();
  expect(taken.ids).toEqual(['ws_1']);
  expect((await take()).ids).toEqual([]);
  await markDue(redis, 'ws_1', clock.now() + 60_000);
  await releaseWorkspace(redis, 'ws_1', taken.until, null);
  await sleep(LEASE_MS + 50);
  expect((await take()).ids).toEqual(['ws_1']);
});

it('looks at a workspace when it is due, and sooner when something sooner is noted', async () => {
  for (const id of ['ws_1', 'ws_2', 'ws_3']) await markDue(redis, id, clock.now() - 1_000);
  const { until } = await take();
  await releaseWorkspace(redis, 'ws_1', until, clock.now() + 60_000);
  await releaseWorkspace(redis, 'ws_2', until, clock.now() + 60_000);
  await releaseWorkspace(redis, 'ws_3', until, null);
  await markDue(redis, 'ws_2', clock.now() - 1_000);
  await markDue(redis, 'ws_2', clock.now() + 60_000);
  await sleep(LEASE_MS + 50);
  expect((await take()).ids).toEqual(['ws_2']);
});

it('looks at a call that is due at once as soon as it is there, and not before', async () => {
  const call = aCall({ scheduleAt: Math.floor(clock.now()) + 5_000 });
  await calls.accept(call, null);
  expect((await take()).ids).toEqual([]);
  await sleep(5_200);
  expect((await take()).ids).toEqual([call.workspaceId]);
});

it('puts a call on the queue at once though it was made by a clock that is ahead', async () => {
  await calls.accept(aCall({ createdAt: Math.floor(clock.now()) + 60_000 }), null);
  expect(await redis.llen(`${queuePrefix(ASYNC_SHARD)}:${ASYNC_QUEUE}:wait`)).toBe(1);
});

it('leaves nothing of a call that it refuses, and says when to come back', async () => {
  const { workspaceId } = aCall();
  await calls.accept(aCall({ workspaceId }), null);
  await calls.accept(aCall({ workspaceId }), null);
  const kept = await placeKeys();
  const refused = await calls.accept(aCall({ workspaceId }), null).catch((problem) => problem);
  expect(refused).toBeInstanceOf(Problem);
  expect(refused.code).toBe('rate_limited');
  expect(Number(refused.options.headers['retry-after'])).toBeGreaterThanOrEqual(10);
  expect((await placeKeys()).sort()).toEqual(kept.sort());
});

it('leaves nothing of a call that was kept long enough', async () => {
  const call = aCall();
  await calls.accept(call, null);
  expect(await calls.cancel(call)).toBe(true);
  expect(await placeKeys()).toHaveLength(1);
  await cleanCalls(redis, call.workspaceId, clock.now(), { keptMax: 0, bytesMax: 2 ** 28, runMs: 60_000 });
  expect(await placeKeys()).toEqual([]);
});

it('does not let an attempt that slept take effect after the call has ended and was cleaned away', async () => {
  const runMs = 60_000;
  const call = aCall();
  await calls.accept(call, null);
  const attempt = asyncEntry(call.workspaceId, call.id, clock.now() + runMs);
  await calls.cancel(call);
  await cleanCalls(redis, call.workspaceId, clock.now(), { keptMax: 0, bytesMax: 2 ** 28, runMs });
  const tx = new Transaction(batchReads(redis), call.workspaceId);
  tx.hset('things', 'late', 1);
  expect(await commit(redis, attempt, tx, { result: '{}' }, '')).toMatchObject({ kind: 'recorded' });
  const left = await redis.pttl(ledgerKey(call.workspaceId, call.id));
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(runMs);
});
