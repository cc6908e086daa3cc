import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CallCaps } from '../../../src/directory/accounts.ts';
import { newId } from '../../../src/ids.ts';
import type { PendingCall } from '../../../src/queue/submit/pending-call.ts';
import { WorkspaceSlots } from '../../../src/queue/submit/workspace-slots.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { slotLineKey, slotsKey } from '../../../src/redis/keys.ts';
import { eventually } from '../../support/eventually.ts';
import { aClock, TestCalls } from '../../support/queue/test-calls.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
let redis: RedisConnection;
let operator: RedisConnection;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'request', () => undefined);
  operator = openRedis(server.url, 'worker', () => undefined);
  await Promise.all([redis, operator].map(untilReady));
});

afterAll(async () => {
  redis.disconnect();
  operator.disconnect();
  await server.stop();
});

/** The slots of a workspace, whose calls are counted as admitted when they go on; each gives its slot back when it ends. */
async function openSlots(
  connection: RedisConnection,
  caps: CallCaps,
  findCaps: (accountId: string) => CallCaps | undefined,
) {
  const workspaceId = newId('workspace');
  const admitted: string[] = [];
  const test = new TestCalls(operator, await aClock(operator), {
    capped: (pending) => slots.push(pending, caps),
    queued: ({ call }) => admitted.push(call.id),
    ended: (pending) => {
      if (pending.hasSlot) slots.free(pending);
    },
  });
  const { calls } = test;
  const slots = new WorkspaceSlots(workspaceId, {
    redis: connection,
    processName: 'boot',
    findCaps: async (_workspaceId, accountId) => findCaps(accountId),
    calls,
  });
  const account = { userId: 1, bot: false, strictPeers: false, faults: false };
  const open = (id: string, accountId: string) =>
    test.open({ id, workspaceId, account: { id: accountId, ...account }, caps });
  return { workspaceId, slots, calls, admitted, open };
}

/** How many commands of a kind Redis has run. */
async function commandsOf(name: string): Promise<number> {
  const stats = await operator.info('commandstats');
  return Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
}

it('gives back what Redis took after nobody waited for its answer any more', async () => {
  const caps = { workspace: null, account: 1 };
  const accountId = newId('messengerAccount');
  const { workspaceId, slots, calls, admitted, open } = await openSlots(redis, caps, () => caps);
  const first = open('before', accountId);
  await eventually(() => admitted.includes('before'));
  expect(calls.holdingSlots).toBe(1);
  await calls.end(first, 'canceled');
  await eventually(async () => (await operator.zcard(slotsKey(workspaceId, accountId))) === 0);

  // Longer than the connection waits for an answer: the command is carried out all the same, then.
  await (operator as { call(...args: string[]): Promise<unknown> }).call('CLIENT', 'PAUSE', '3000', 'ALL');
  const isLost = ({ state }: PendingCall) => state === 'ended';
  const unanswered = open('unanswered', accountId);
  await eventually(() => isLost(unanswered));
  const after = open('after', accountId);
  await eventually(() => admitted.includes('after') || isLost(after));
  if (isLost(after)) open('after that', accountId);
  await eventually(() => admitted.some((id) => id.startsWith('after')));
  await slots.close();
});

it('offers no slot to calls that have ended while they waited', async () => {
  const caps = { workspace: null, account: 1 };
  const accountId = newId('messengerAccount');
  const { slots, calls, admitted, open } = await openSlots(operator, caps, () => caps);
  const holder = open('holder', accountId);
  await eventually(() => admitted.includes('holder'));
  const gone = Array.from({ length: 100 }, (_, n) => open(`gone ${n}`, accountId));
  const stays = open('stays', accountId);
  await Promise.all(gone.map((pending) => calls.end(pending, 'canceled')));
  const before = await commandsOf('evalsha');
  await calls.end(holder, 'canceled');
  await eventually(() => admitted.includes('stays'));
  expect((await commandsOf('evalsha')) - before).toBeLessThan(20);
  await calls.end(stays, 'canceled');
  await slots.close();
});

it('keeps to the cap of the workspace when one of its accounts is gone, and dismisses the calls of that', async () => {
  const [keptId, goneId] = [newId('messengerAccount'), newId('messengerAccount')];
  const caps = { workspace: 1, account: null };
  const { slots, calls, admitted, open } = await openSlots(operator, caps, (accountId) =>
    accountId === goneId ? undefined : caps,
  );
  const kept = ['kept 1', 'kept 2', 'kept 3'].map((id) => open(id, keptId));
  const gone = ['gone 1', 'gone 2'].map((id) => open(id, goneId));
  expect(calls.awaitingSlots).toBe(5);
  await eventually(() => gone.every(({ state }) => state === 'ended'));
  // What a cap that was lost would let go goes with the next question, which this one waits for.
  await slots.close();
  expect(admitted).toEqual(['kept 1']);
  expect([calls.holdingSlots, calls.awaitingSlots]).toEqual([1, 2]);
  await calls.end(kept[0] as PendingCall, 'canceled');
  await eventually(() => admitted.length === 2);
  expect(admitted[1]).toBe('kept 2');
  await slots.close();
});

it('looks at few of the calls that wait whenever a slot is free', async () => {
  const caps = { workspace: null, account: 1 };
  const [waiting, rounds] = [5_000, 100];
  let looks = 0;
  let admitted: PendingCall | undefined;
  const slots = new WorkspaceSlots(newId('workspace'), {
    redis: operator,
    processName: 'boot',
    findCaps: async () => caps,
    calls: {
      admit: (pending) => {
        admitted = pending;
      },
      end: async () => undefined,
      endOrphan: async () => undefined,
    },
  });
  const now = Math.floor((await aClock(operator)).now());
  const calls = Array.from({ length: waiting }, (_, n) => ({
    call: { id: `call ${n}`, account: { id: 'acc' }, acceptedAt: now, notAfter: now + 60_000 },
    isOver: n % 2 === 1,
    get state() {
      looks += 1;
      return this.isOver ? 'ended' : 'capped';
    },
  }));
  for (const call of calls) slots.push(call as never, caps);
  const startedAt = performance.now();
  for (let n = 0; n < rounds; n += 1) {
    const free = await eventually(() => admitted);
    expect(free).toBe(calls[2 * n]);
    admitted = undefined;
    slots.free(free);
  }
  await slots.close();
  const looksAtAll = 1 + Math.ceil((performance.now() - startedAt) / 400);
  expect(looks).toBeLessThan(waiting * (looksAtAll + 1));
});

it.each([1, 3])('lets accounts take turns, however many calls one of them has: cap %i', async (cap) => {
  const caps = { workspace: cap, account: null };
  const { slots, calls, admitted, open } = await openSlots(operator, caps, () => caps);
  const opened = new Map<string, PendingCall>();
  const openAll = (name: string, count: number) => {
    const accountId = newId('messengerAccount');
    for (let n = 0; n < count; n += 1) opened.set(`${name}${n}`, open(`${name}${n}`, accountId));
  };
  openAll('A', 60);
  await eventually(() => admitted.length === cap);
  openAll('B', 3);
  for (let ended = 0; ended < 6; ended += 1) {
    await calls.end(opened.get(admitted[ended] as string) as PendingCall, 'canceled');
    await eventually(() => admitted.length === cap + ended + 1);
  }
  const before = Array.from({ length: cap }, (_, n) => `A${n}`);
  expect(admitted).toEqual([...before, `A${cap}`, 'B0', `A${cap + 1}`, 'B1', `A${cap + 2}`, 'B2']);
  await calls.endAll('canceled');
  await slots.close();
});

it('asks for few accounts whenever a slot is free, however many wait', async () => {
  const caps = { workspace: 1, account: 1 };
  const { slots, calls, admitted, open } = await openSlots(operator, caps, () => caps);
  const opened = Array.from({ length: 200 }, (_, n) => open(`call ${n}`, newId('messengerAccount')));
  // Once for the workspace and for each account of a question.
  const scopes = await commandsOf('zcard');
  const questions = await commandsOf('evalsha');
  for (let ended = 0; ended < 20; ended += 1) {
    await eventually(() => admitted.length > ended);
    await calls.end(opened[ended] as PendingCall, 'canceled');
  }
  const scopesOfEach = ((await commandsOf('zcard')) - scopes) / ((await commandsOf('evalsha')) - questions);
  expect(scopesOfEach).toBeLessThan(30);
  expect(admitted.slice(0, 20)).toEqual(opened.slice(0, 20).map(({ call }) => call.id));
  await calls.endAll('canceled');
  await slots.close();
});

it('finds the free slots of all accounts in time, though nobody tells of them', async () => {
  const caps = { workspace: null, account: 1 };
  const { workspaceId, slots, calls, admitted, open } = await openSlots(operator, caps, () => caps);
  const accountIds = Array.from({ length: 600 }, () => newId('messengerAccount'));
  for (const accountId of accountIds)
    await operator.zadd(slotsKey(workspaceId, accountId), Date.now() + 600_000, 'of another process');
  for (const accountId of accountIds) open(`of ${accountId}`, accountId);
  await eventually(async () => (await operator.exists(slotLineKey(workspaceId, accountIds.at(-1)))) === 1);
  expect(admitted).toEqual([]);
  await operator.del(...accountIds.map((accountId) => slotsKey(workspaceId, accountId)));
  await eventually(() => admitted.length === accountIds.length);
  await calls.endAll('canceled');
  await slots.close();
});

it('looks up the caps of few accounts at once, however many have calls that wait', async () => {
  const caps = { workspace: 1, account: null };
  const looks: number[] = [];
  let inTurn = 0;
  const { slots, calls, admitted, open } = await openSlots(operator, caps, () => {
    if (inTurn === 0)
      setImmediate(() => {
        looks.push(inTurn);
        inTurn = 0;
      });
    inTurn += 1;
    return caps;
  });
  const first = open('first', newId('messengerAccount'));
  await eventually(() => admitted.includes('first'));
  const others = Array.from({ length: 300 }, (_, n) => open(`other ${n}`, newId('messengerAccount')));
  await eventually(() => looks.length > 1);
  expect(looks.slice(0, 2)).toEqual([256, 44]);
  for (const pending of [...others, first]) await calls.end(pending, 'canceled');
  await slots.close();
});
