import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { CallCaps } from '../../../src/directory/accounts.ts';
import { newId } from '../../../src/ids.ts';
import { CallSlots } from '../../../src/queue/submit/call-slots.ts';
import type { PendingCall } from '../../../src/queue/submit/pending-call.ts';
import type { RedisClock } from '../../../src/redis/clock.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { slotLineKey, slotsKey, slotWakeChannel } from '../../../src/redis/keys.ts';
import { eventually } from '../../support/eventually.ts';
import { aClock, TestCalls } from '../../support/queue/test-calls.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const CAPS = { workspace: 1, account: null };
const CAPS_OF_ACCOUNTS = { workspace: null, account: 1 };

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

async function start(processName: string, caps: CallCaps = CAPS) {
  const subscriber = openRedis(server.url, 'subscriber', () => undefined);
  await untilReady(subscriber);
  const admitted: string[] = [];
  const test = new TestCalls(redis, clock, {
    capped: (pending, of) => slots.push(pending, of),
    queued: ({ call }) => admitted.push(call.id),
    ended: (pending) => {
      if (pending.hasSlot) slots.leave(pending);
    },
  });
  const slots = new CallSlots({
    ...{ redis, subscriber, processName, calls: test.calls },
    findCaps: async () => caps,
  });
  opened.push({ slots, subscriber });
  const open = (id: string, accountId = 'acc_1'): PendingCall =>
    test.open({ id, workspaceId, account: { id: accountId, ...ACCOUNT }, caps });
  return { slots, subscriber, admitted, calls: test.calls, open };
}

const ACCOUNT = { userId: 1, bot: false, strictPeers: false, faults: false };

const listeners = async () => Number((await redis.pubsub('SHARDNUMSUB', slotWakeChannel(workspaceId)))[1]);

it.each([
  ['of the workspace', CAPS, undefined],
  ['of its account', CAPS_OF_ACCOUNTS, 'acc_1'],
])(
  'a process whose turn it is goes on as soon as another has given back a slot %s',
  async (_, caps, accountId) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const [one, other] = [await start('p1', caps), await start('p2', caps)];
    const holder = one.open('holder');
    await untilTurn(() => one.admitted.length === 1);
    // The first that waits is not told: nothing says that it will have to wait for long.
    other.open('waits');
    other.open('waits too');
    await untilTurn(async () => (await redis.hexists(slotLineKey(workspaceId, accountId), 'p2')) === 1);
    await untilTurn(async () => (await listeners()) === 1);
    await one.calls.end(holder, 'canceled');
    await untilTurn(() => other.admitted.length === 1);
    expect(other.admitted).toEqual(['waits']);
    await other.calls.endAll('canceled');
  },
);

it('a process that is told of a slot before it knows that it has to wait for it asks again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { subscriber, calls, admitted, open } = await start('p1', CAPS_OF_ACCOUNTS);
  const slots = slotsKey(workspaceId, 'acc_1');
  await redis.zadd(slots, Date.now() + 600_000, 'of another process');
  open('waits');
  // It has asked by then, and its answer comes in a later turn.
  await new Promise((resolve) => setImmediate(resolve));
  const freed = redis.zrem(slots, 'of another process');
  subscriber.emit('smessage', slotWakeChannel(workspaceId), 'p1 acc_1');
  await freed;
  await untilTurn(() => admitted.length === 1);
  await calls.endAll('canceled');
});

it('a free slot goes to an account with room, however many before it have none', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { calls, admitted, open } = await start('p1', { workspace: 1, account: 1 });
  const holder = open('holder', 'acc_of_holder');
  await untilTurn(() => admitted.length === 1);
  const full = Array.from({ length: 100 }, (_, n) => `acc_${n}`);
  for (const accountId of full) open(`waits for ${accountId}`, accountId);
  await untilTurn(async () => (await redis.hexists(slotLineKey(workspaceId), 'p1')) === 1);
  for (const accountId of full)
    await redis.zadd(slotsKey(workspaceId, accountId), Date.now() + 600_000, 'of another process');
  open('has room', 'acc_with_room');
  await calls.end(holder, 'canceled');
  await untilTurn(() => admitted.length === 2);
  expect(admitted).toEqual(['holder', 'has room']);
  await calls.endAll('canceled');
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
