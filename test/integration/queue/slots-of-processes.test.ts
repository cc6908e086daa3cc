import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { CallCaps } from '../../../src/directory/accounts.ts';
import { newId } from '../../../src/ids.ts';
import { CallSlots } from '../../../src/queue/submit/call-slots.ts';
import type { PendingCall } from '../../../src/queue/submit/pending-call.ts';
import { WorkspaceSlots } from '../../../src/queue/submit/workspace-slots.ts';
import type { RedisClock } from '../../../src/redis/clock.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { slotLineKey, slotsKey } from '../../../src/redis/keys.ts';
import { eventually } from '../../support/eventually.ts';
import { aClock, TestCalls } from '../../support/queue/test-calls.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const ACCOUNT = { userId: 1, bot: false, strictPeers: false, faults: false };

/** An API process: its capped calls, and which of them it has let go on, in order. */
interface Process {
  slots: CallSlots;
  calls: TestCalls['calls'];
  admitted: string[];
  subscriber: RedisConnection;
  open(id: string, accountId?: string): PendingCall;
}

let server: TestRedis;
let redis: RedisConnection;
let clock: RedisClock;
let processes: Process[];
let workspaceId: string;
/** The caps that hold now. */
let caps: CallCaps | null;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'worker', () => undefined);
  await untilReady(redis);
  clock = await aClock(redis);
});

beforeEach(() => {
  processes = [];
  workspaceId = newId('workspace');
});

afterEach(async () => {
  for (const { slots, calls, subscriber } of processes) {
    await calls.endAll('canceled');
    await slots.close();
    subscriber.disconnect();
  }
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

async function start(processName: string): Promise<Process> {
  const admitted: string[] = [];
  const subscriber = openRedis(server.url, 'subscriber', () => undefined);
  await untilReady(subscriber);
  const test = new TestCalls(redis, clock, {
    capped: (pending, of) => slots.push(pending, of),
    queued: ({ call }) => admitted.push(call.id),
    ended: (pending) => {
      if (pending.hasSlot) slots.leave(pending);
    },
  });
  const options = { redis, processName, findCaps: async () => caps, calls: test.calls };
  const slots = new CallSlots({ ...options, subscriber });
  const open = (id: string, accountId = 'acc_1') =>
    test.open({ id, workspaceId, account: { id: accountId, ...ACCOUNT }, caps });
  const process = { slots, calls: test.calls, admitted, subscriber, open };
  processes.push(process);
  return process;
}

/** Until Redis' clock has gone on by a millisecond. */
async function anotherMs(): Promise<void> {
  const now = Math.floor(clock.now());
  await eventually(() => Math.floor(clock.now()) > now, { everyMs: 1 });
}

const all = () => processes.flatMap(({ admitted }) => admitted);

it('lets the calls of several processes go on in the order in which they came, never beyond the cap', async () => {
  caps = { workspace: null, account: 2 };
  const [one, other] = [await start('p1'), await start('p2')];
  const opened: [Process, PendingCall][] = [];
  for (let n = 0; n < 8; n += 1) {
    const process = n % 2 === 0 ? one : other;
    opened.push([process, process.open(`c${n}`)]);
    const name = process === one ? 'p1' : 'p2';
    await eventually(async () =>
      n < 2 ? all().length === n + 1 : (await redis.hexists(slotLineKey(workspaceId, 'acc_1'), name)) === 1,
    );
    await anotherMs();
  }
  for (let done = 0; done < 8; done += 1) {
    await eventually(() => all().length >= Math.min(8, done + 2));
    expect(all().length).toBeLessThanOrEqual(done + 2);
    expect(await redis.zcard(slotsKey(workspaceId, 'acc_1'))).toBeLessThanOrEqual(2);
    const [process, pending] = opened[done] as [Process, PendingCall];
    expect(process.admitted).toContain(pending.call.id);
    expect(pending.hasSlot).toBe(true);
    await process.calls.end(pending, 'canceled');
  }
  await eventually(async () => (await redis.exists(slotsKey(workspaceId, 'acc_1'))) === 0);
  expect(one.admitted).toEqual(['c0', 'c2', 'c4', 'c6']);
  expect(other.admitted).toEqual(['c1', 'c3', 'c5', 'c7']);
});

it('shares the cap of a workspace among its accounts, one call of each in turn', async () => {
  caps = { workspace: 3, account: null };
  const process = await start('p');
  const opened = [1, 2, 3, 4].map((n) => process.open(`loud ${n}`, 'loud'));
  process.open('quiet 1', 'quiet');
  process.open('third 1', 'third');
  await eventually(() => process.admitted.length === 3);
  expect(process.admitted.toSorted()).toEqual(['loud 1', 'quiet 1', 'third 1']);
  await process.calls.end(opened[0] as PendingCall, 'canceled');
  await eventually(() => process.admitted.length === 4);
  expect(process.admitted.at(-1)).toBe('loud 2');
  expect([process.calls.holdingSlots, process.calls.awaitingSlots]).toEqual([3, 2]);
});

it('lets accounts take turns though their calls came to different processes', async () => {
  caps = { workspace: 1, account: null };
  const [one, other] = [await start('p1'), await start('p2')];
  const opened = [1, 2, 3, 4, 5, 6].map((n) => one.open(`loud ${n}`, 'loud'));
  await eventually(() => all().length === 1);
  await anotherMs();
  opened.push(...[1, 2].map((n) => other.open(`quiet ${n}`, 'quiet')));
  await eventually(async () => (await redis.hexists(slotLineKey(workspaceId), 'p2')) === 1);
  const order: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    const id = await eventually(() => all().find((admitted) => !order.includes(admitted)));
    order.push(id);
    await anotherMs();
    const pending = opened.find(({ call }) => call.id === id) as PendingCall;
    await (one.admitted.includes(id) ? one : other).calls.end(pending, 'canceled');
  }
  expect(order).toEqual(['loud 1', 'loud 2', 'quiet 1', 'loud 3', 'quiet 2', 'loud 4']);
});

it('lets none go on that has ended meanwhile, and gives back what it got after its end', async () => {
  caps = { workspace: null, account: 1 };
  const process = await start('p');
  const holder = process.open('holder');
  await eventually(() => process.admitted.length === 1);
  const [ended, next] = [process.open('ended'), process.open('next')];
  await process.calls.end(ended, 'canceled');
  await process.calls.end(holder, 'canceled');
  await eventually(() => process.admitted.length === 2);
  expect(process.admitted).toEqual(['holder', 'next']);
  await process.calls.end(next, 'canceled');
  // It is being asked for when it ends.
  const tooLate = process.open('too late');
  await new Promise((resolve) => setImmediate(resolve));
  await process.calls.end(tooLate, 'canceled');
  process.open('last');
  await eventually(() => process.admitted.includes('last'));
  expect(process.admitted).not.toContain('too late');
  expect(await redis.zrange(slotsKey(workspaceId, 'acc_1'), '0', '-1')).toEqual(['last']);
});

it('sees that a cap was raised, and that there is none any more', async () => {
  caps = { workspace: null, account: 1 };
  const process = await start('p');
  for (let n = 1; n <= 4; n += 1) process.open(`c${n}`);
  await eventually(() => process.admitted.length === 1);
  caps = { workspace: null, account: 2 };
  await eventually(() => process.admitted.length === 2);
  expect(await redis.zcard(slotsKey(workspaceId, 'acc_1'))).toBe(2);
  caps = { workspace: 1, account: 4 };
  await eventually(() => process.admitted.length === 3);
  expect(await redis.zcard(slotsKey(workspaceId))).toBe(1);
  expect(process.calls.awaitingSlots).toBe(1);
});

it('lets all go on without a slot once no cap holds any more', async () => {
  caps = { workspace: 1, account: 1 };
  const process = await start('p');
  const opened = [1, 2, 3].map((n) => process.open(`c${n}`));
  await eventually(() => process.admitted.length === 1);
  caps = null;
  await eventually(() => process.admitted.length === 3);
  expect(opened.map(({ hasSlot }) => hasSlot)).toEqual([true, false, false]);
  expect([process.calls.holdingSlots, process.calls.awaitingSlots]).toEqual([1, 0]);
  // Nobody waits there any more, as Redis gets to know.
  await eventually(async () => (await redis.exists(slotLineKey(workspaceId, 'acc_1'))) === 0);
});

it('takes hundreds of slots of one account, and of hundreds of accounts, and gives them all back', async () => {
  caps = { workspace: 1_000, account: 300 };
  const process = await start('p');
  const opened = Array.from({ length: 300 }, (_, n) => process.open(`one ${n}`));
  for (let n = 0; n < 300; n += 1) opened.push(process.open(`many ${n}`, `acc_of_${n}`));
  await eventually(() => process.admitted.length === 600);
  expect(await redis.zcard(slotsKey(workspaceId))).toBe(600);
  expect(await redis.zcard(slotsKey(workspaceId, 'acc_1'))).toBe(300);
  for (const pending of opened) await process.calls.end(pending, 'canceled');
  await eventually(
    async () => (await redis.exists(slotsKey(workspaceId), slotsKey(workspaceId, 'acc_1'))) === 0,
  );
  expect(process.calls.holdingSlots).toBe(0);
});

it('holds a slot for a second longer than its call may run', async () => {
  caps = { workspace: 1, account: null };
  const process = await start('p');
  const { call } = process.open('c');
  await eventually(() => process.admitted.length === 1);
  expect(Number(await redis.zscore(slotsKey(workspaceId), 'c'))).toBe(call.notAfter + 1_000);
});

it('knows whether calls wait, and whether anything is left to do', async () => {
  caps = { workspace: null, account: 1 };
  const test = new TestCalls(redis, clock, {
    capped: (pending, of) => slots.push(pending, of),
    ended: (pending) => {
      if (pending.hasSlot) slots.free(pending);
    },
  });
  const slots = new WorkspaceSlots(workspaceId, {
    ...{ redis, processName: 'p', findCaps: async () => caps, calls: test.calls },
  });
  const look = () => [slots.isWaiting, slots.isIdle];
  expect(look()).toEqual([false, true]);
  const [first, second] = [1, 2].map(() =>
    test.open({ workspaceId, account: { id: 'acc_1', ...ACCOUNT }, caps }),
  ) as [PendingCall, PendingCall];
  expect(look()).toEqual([true, false]);
  await eventually(() => first.hasSlot);
  expect(look()).toEqual([true, false]);
  await test.calls.end(first, 'canceled');
  await eventually(() => second.hasSlot);
  await eventually(() => !slots.isWaiting);
  expect(slots.isIdle).toBe(false);
  await test.calls.end(second, 'canceled');
  expect(slots.isIdle).toBe(false);
  await eventually(() => slots.isIdle);
  await slots.close();
});
