import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { CallRef } from '../../../src/async-calls/attempt-call.ts';
import { Tenants } from '../../../src/directory/tenants.ts';
import { openLogger } from '../../../src/logger.ts';
import { ASYNC_QUEUE, ASYNC_SHARD, AsyncQueue, openAsyncQueue } from '../../../src/queue/async-queue.ts';
import { consumeAsync } from '../../../src/queue/consume/consume-async.ts';
import { WIRE_VERSION } from '../../../src/queue/wire.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { queuePrefix } from '../../../src/redis/keys.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
let redis: RedisConnection;
let queue: AsyncQueue;
let consumer: ReturnType<typeof consumeAsync> | undefined;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'worker', () => undefined);
  await untilReady(redis);
});

beforeEach(async () => {
  await redis.flushall();
  queue = new AsyncQueue(redis);
  consumer = undefined;
});

afterEach(async () => {
  await consumer?.close(1_000);
  await queue.close();
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const aRef = (callId: string): CallRef => ({ workspaceId: 'ws_1', callId, accountId: 'acc_1' });
const part = (name: string) => `${queuePrefix(ASYNC_SHARD)}:${ASYNC_QUEUE}:${name}`;

function consume(run: (ref: CallRef) => Promise<number | null>, concurrency = 8): void {
  consumer = consumeAsync({
    ...{ connection: redis, concurrency, run, tenants: new Tenants(redis, { isFresh: () => true }) },
    log: openLogger({ LOG_LEVEL: 'silent' }, 'test'),
  });
}

it('runs each call once, however often its job is added, and leaves nothing behind', async () => {
  await queue.add([]);
  for (let n = 0; n < 2; n += 1) await queue.add([aRef('c1'), aRef('c2')]);
  expect(await redis.llen(part('wait'))).toBe(2);
  const ran: CallRef[] = [];
  consume(async (ref) => {
    ran.push(ref);
    return null;
  });
  await eventually(async () => (await redis.exists(part('c1'), part('c2'))) === 0);
  expect(ran.toSorted((a, b) => (a.callId < b.callId ? -1 : 1))).toEqual([aRef('c1'), aRef('c2')]);
});

it('runs a call again after as long as it says', async () => {
  const ran: number[] = [];
  await queue.add([aRef('c1')]);
  consume(async () => {
    ran.push(Date.now());
    return ran.length < 3 ? 150 : null;
  });
  await eventually(async () => ran.length === 3 && (await redis.exists(part('c1'))) === 0);
  for (const [at, time] of ran.slice(1).entries())
    expect(time - (ran[at] as number)).toBeGreaterThanOrEqual(149);
});

it('leaves a call of another release to a worker of that', async () => {
  const jobs = openAsyncQueue(redis);
  await jobs.add('call', { v: WIRE_VERSION + 1, ...aRef('later') }, { jobId: 'later' });
  await jobs.close();
  const ran: string[] = [];
  consume(async ({ callId }) => {
    ran.push(callId);
    return null;
  });
  await eventually(async () => (await redis.zcard(part('delayed'))) === 1);
  await queue.add([aRef('c1')]);
  await eventually(() => ran.length === 1);
  expect(ran).toEqual(['c1']);
  expect(await redis.exists(part('later'))).toBe(1);
});

it('takes the job of an attempt that fails away, and goes on', async () => {
  const ran: string[] = [];
  await queue.add([aRef('fails')]);
  consume(async ({ callId }) => {
    ran.push(callId);
    if (callId === 'fails') throw new Error('a mistake of ours');
    return null;
  });
  await eventually(async () => (await redis.exists(part('fails'))) === 0);
  await queue.add([aRef('c1')]);
  await eventually(() => ran.length === 2);
  expect(ran).toEqual(['fails', 'c1']);
});

/** Consumes twelve calls of one tenant, so many at a time, which go on until they are released; resolves once the others are put back. */
async function holdTwelve(permits: number) {
  const held = { running: 0, most: 0, release: (): void => undefined };
  const released = new Promise<void>((resolve) => {
    held.release = resolve;
  });
  await queue.add(Array.from({ length: 12 }, (_, n) => aRef(`c${n}`)));
  consume(async () => {
    held.running += 1;
    held.most = Math.max(held.most, held.running);
    await released;
    held.running -= 1;
    return null;
  }, permits);
  await eventually(
    async () => held.running > 0 && held.running + (await redis.zcard(part('delayed'))) === 12,
  );
  return held;
}

const untilNoneIsLeft = () =>
  eventually(async () => (await redis.keys(part('c*'))).length === 0, { timeoutMs: 20_000 });

it('runs some calls of one tenant at a time, and puts the others back', async () => {
  const held = await holdTwelve(4);
  expect(held.most).toBeLessThanOrEqual(4);
  held.release();
  await untilNoneIsLeft();
  expect(held.most).toBeLessThanOrEqual(4);
});

it('runs more at a time once it may, those that were put back for want of room too', async () => {
  const held = await holdTwelve(2);
  expect(held.most).toBeLessThanOrEqual(4);
  consumer?.resize(32);
  // None of them has ended.
  await eventually(() => held.running === 12);
  held.release();
  await untilNoneIsLeft();
});
