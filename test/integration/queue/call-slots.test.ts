import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { newId } from '../../../src/ids.ts';
import { CallSlots } from '../../../src/queue/submit/call-slots.ts';
import type { PendingCall } from '../../../src/queue/submit/pending-call.ts';
import type { RedisClock } from '../../../src/redis/clock.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { slotLineKey, slotWakeChannel } from '../../../src/redis/keys.ts';
import { eventually } from '../../support/eventually.ts';
import { aClock, TestCalls } from '../../support/queue/test-calls.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const CAPS = { workspace: 1, account: null };

let server: TestRedis;
let redis: RedisConnection;
let clock: RedisClock;
let workspaceId: string;
let opened: { slots: CallSlots; subscriber: RedisConnection }[];

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'worker', () => undefined);
  await untilReady(redis);
  clock = await aClock(redis);
});

beforeEach(() => {
  workspaceId = newId('workspace');
  opened = [];
});

afterEach(async () => {
  vi.useRealTimers();
  for (const { slots, subscriber } of opened) {
    await slots.close();
    subscriber.disconnect();
  }
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

/** Waits for something without the help of a timer: those that are faked never fire. */
async function untilTurn(look: () => boolean | Promise<boolean>): Promise<void> {
  const until = performance.now() + 15_000;
  while (!(await look())) {
    if (performance.now() > until) throw new Error('it did not happen');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function start(processName: string) {
  const subscriber = openRedis(server.url, 'subscriber', () => undefined);
  await untilReady(subscriber);
  const admitted: string[] = [];
  const test = new TestCalls(redis, clock, {
    capped: (pending, caps) => slots.push(pending, caps),
    queued: ({ call }) => admitted.push(call.id),
    ended: (pending) => {
      if (pending.hasSlot) slots.leave(pending);
    },
  });
  const slots = new CallSlots({
    ...{ redis, subscriber, processName, calls: test.calls },
    findCaps: async () => CAPS,
  });
  opened.push({ slots, subscriber });
  const open = (id: string): PendingCall => test.open({ id, workspaceId, caps: CAPS });
  return { slots, subscriber, admitted, calls: test.calls, open };
}

const listeners = async () => Number((await redis.pubsub('SHARDNUMSUB', slotWakeChannel(workspaceId)))[1]);

it('a process whose turn it is goes on as soon as another has given a slot back, without looking for it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const [one, other] = [await start('p1'), await start('p2')];
  const holder = one.open('holder');
  await untilTurn(() => one.admitted.length === 1);
  // The first that waits is not told: nothing says that it will have to wait for long.
  other.open('waits');
  other.open('waits too');
  await untilTurn(async () => (await redis.hexists(slotLineKey(workspaceId), 'p2')) === 1);
  await untilTurn(async () => (await listeners()) === 1);
  await one.calls.end(holder, 'canceled');
  await untilTurn(() => other.admitted.length === 1);
  expect(other.admitted).toEqual(['waits']);
  await other.calls.endAll('canceled');
});

it('a process is told of no workspace any more in which nothing is left to do', async () => {
  const { calls, admitted, open } = await start('p1');
  open('holder');
  await eventually(() => admitted.length === 1);
  open('waits');
  open('waits too');
  await eventually(async () => (await listeners()) === 1);
  await calls.endAll('canceled');
  await eventually(async () => (await listeners()) === 0);
  expect(await redis.keys(`*${workspaceId}*`)).toEqual([]);
  // What comes then begins anew.
  open('again');
  await eventually(() => admitted.includes('again'));
  await calls.endAll('canceled');
});
