import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/ids.ts';
import { claimIdempotencyKey } from '../../../src/ledger/claim.ts';
import { Problem } from '../../../src/problem.ts';
import { shardOf } from '../../../src/queue/shards.ts';
import type { CallRequest, PendingCall, SentBatch } from '../../../src/queue/submit/pending-call.ts';
import type { RedisClock } from '../../../src/redis/clock.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { ledgerKey } from '../../../src/redis/keys.ts';
import { eventually } from '../../support/eventually.ts';
import { isCollected } from '../../support/is-collected.ts';
import { aClock, aRequest, TestCalls } from '../../support/queue/test-calls.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const REPLY = { status: 200, offset: null, headers: {}, body: '{}' };
const CAPS = { workspace: 1, account: null };

let server: TestRedis;
let redis: RedisConnection;
let clock: RedisClock;
let test: TestCalls;
let ended: [PendingCall, string][];
/** What the admission was told: calls that entered, and calls that left. */
let entered: unknown[][];
let left: unknown[][];
/** The workspaces of the calls whose turn ended before they did, by what the admission was told. */
let moved: unknown[];
let refusal: Problem | null;
let lostSince: number;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'request', () => undefined);
  await untilReady(redis);
  clock = await aClock(redis);
});

beforeEach(() => {
  [ended, entered, left, moved, refusal, lostSince] = [[], [], [], [], null, 0];
  const admission = {
    enter: (...args: [object, number, boolean]) => {
      entered.push(args.slice(1));
      return refusal;
    },
    leave: (...args: unknown[]) => void left.push(args),
    leaveTurn: (workspaceId: string) => void moved.push(workspaceId),
  };
  const isLostSince = async (moment: number) => moment <= lostSince;
  const stages = { ended: (pending: PendingCall, how: string) => void ended.push([pending, how]) };
  test = new TestCalls(redis, clock, stages, { admission, isLostSince });
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

function aBatch(calls = 1): SentBatch {
  return {
    id: newId('call'),
    ledgerExpiresAt: Math.floor(clock.now()) + 60_000,
    unanswered: calls,
    sentAt: performance.now(),
    calls: [],
  };
}

/** A request whose Idempotency-Key is claimed, and what the ledger has of that. */
async function aKeyedRequest(): Promise<{ request: CallRequest; held: () => Promise<string | null> }> {
  const request = aRequest();
  const { workspaceId, id: callId, account, method, params } = request;
  const attempt = { key: 'k', callId, processName: 'test', notAfter: clock.now() + 60_000 };
  const claimed = await claimIdempotencyKey(redis, {
    ...{ workspaceId, accountId: account.id, method, params },
    ...attempt,
  });
  if ('replay' in claimed) throw new Error('it was used before');
  return {
    request: { ...request, key: claimed },
    held: () => redis.hget(ledgerKey(workspaceId, claimed.ledger), 'reply'),
  };
}

const evals = async () =>
  Number(/cmdstat_evalsha:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1] ?? 0);

describe('a call that is not taken in', () => {
  it.each([
    ['when no more are taken', 'shutting_down'],
    ['when its caller is gone', 'canceled'],
    ['when there is too much', 'overloaded'],
  ] as const)('%s leaves nothing behind, and its key is free', async (_, code) => {
    const { request, held } = await aKeyedRequest();
    if (code === 'shutting_down') await test.calls.close(0);
    if (code === 'overloaded') refusal = new Problem('overloaded');
    const caller = Object.assign(new EventEmitter(), { destroyed: code === 'canceled' });
    expect(await held()).not.toBeNull();
    const error = await test.calls.open(request, caller).catch((problem) => problem);
    expect(error).toMatchObject({ code });
    if (code === 'shutting_down') expect(error.options.headers).toEqual({ 'retry-after': '1' });
    expect(await held()).toBeNull();
    expect([...test.calls.values()]).toEqual([]);
    expect([entered.length, left.length, ended.length]).toEqual([code === 'overloaded' ? 1 : 0, 0, 0]);
  });
});

describe('the admission', () => {
  it.each([
    ['shared', null, true],
    ['slow', null, false],
    ['shared', CAPS, false],
  ] as const)('counts a call of the %s lane with caps %j as one in turn: %s', async (lane, caps, inTurn) => {
    const pending = test.open({ lane, caps, bytes: 77 });
    expect(entered).toEqual([[77, inTurn]]);
    expect(pending.inTurn).toBe(inTurn);
    test.calls.answer(pending.call.number, REPLY, { cost: 5 });
    expect(left).toEqual([[pending.workspaceId, 77, inTurn, true, 5]]);
  });

  it('hears once that a call was moved to the slow lane, and no more of its turn when it ends', async () => {
    const pending = test.open({ bytes: 77 });
    test.calls.send([pending], aBatch());
    for (const number of [pending.call.number, pending.call.number, 1_000]) test.calls.move(number);
    expect(moved).toEqual([pending.workspaceId]);
    expect([pending.inTurn, pending.isMoved]).toEqual([false, true]);
    test.calls.answer(pending.call.number, REPLY);
    expect(left).toEqual([[pending.workspaceId, 77, false, true, 1]]);
    test.calls.move(pending.call.number);
    expect(moved).toHaveLength(1);
  });

  it('hears nothing when a capped call is moved to the slow lane', async () => {
    const pending = test.open({ caps: CAPS });
    test.calls.admit(pending, true);
    test.calls.send([pending], aBatch());
    test.calls.move(pending.call.number);
    expect([moved, pending.isMoved]).toEqual([[], true]);
  });

  it.each([
    ['canceled', true],
    ['unavailable', true],
    ['call_timeout', false],
  ] as const)('hears of a call that ends as %s whether that was in time', async (reason, wasInTime) => {
    const [queued, sent] = [test.open(), test.open()];
    test.calls.send([sent], aBatch());
    await test.calls.end(queued, reason);
    await test.calls.end(sent, reason);
    expect(left.map((args) => args[3])).toEqual([wasInTime, wasInTime]);
  });
});

it('gives each call a number of its own, its times by Redis and its shard', async () => {
  test.calls.spreadOver(5);
  const before = Math.floor(clock.now());
  const opened = Array.from({ length: 20 }, () => test.open({ timeoutMs: 30_000 }));
  const after = Math.ceil(clock.now());
  expect(opened.map(({ call }) => call.number)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  for (const { call, shard, workspaceId } of opened) {
    expect(shard).toBe(shardOf(workspaceId, 5));
    expect(call.acceptedAt).toBeGreaterThanOrEqual(before);
    expect(call.acceptedAt).toBeLessThanOrEqual(after);
    expect(Number.isInteger(call.acceptedAt)).toBe(true);
    expect(call.notAfter).toBe(call.acceptedAt + 30_000);
    expect(call).not.toHaveProperty('key');
  }
  expect(new Set(opened.map(({ shard }) => shard)).size).toBeGreaterThan(1);
});

it('sends a call on with the claim of its key', async () => {
  const { request } = await aKeyedRequest();
  const pending = test.open(request);
  expect(pending.call).toMatchObject({ id: request.id, key: request.key, params: request.params });
});

it('frees the key of a call that ends before it was sent', async () => {
  const { request, held } = await aKeyedRequest();
  await test.calls.end(test.open(request), 'canceled');
  expect(await held()).toBeNull();
});

it('ends each call at its own deadline, also those behind it, and asks the ledger once', async () => {
  const times = [150, 40, 90];
  const opened = times.map((timeoutMs) => test.open({ timeoutMs }));
  for (const pending of opened) test.calls.send([pending], aBatch());
  const before = await evals();
  // Longer than it takes to look at deadlines several times.
  await (redis as { call(...args: string[]): Promise<unknown> }).call('CLIENT', 'PAUSE', '300', 'ALL');
  test.calls.start();
  const answers = await Promise.all(opened.map((pending) => test.answerOf(pending)));
  expect(answers).toMatchObject(times.map(() => ({ code: 'call_timeout' })));
  expect(opened.map(({ deadline }) => deadline)).toEqual(times.map(() => Number.POSITIVE_INFINITY));
  expect((await evals()) - before).toBeLessThanOrEqual(4);
  const last = test.open({ timeoutMs: 30 });
  expect(await test.answerOf(last)).toMatchObject({ code: 'call_timeout' });
  await test.calls.close(0);
});

it('does not queue a call again whose job was refused when it has been answered', async () => {
  const [answered, refused] = [test.open(), test.open()];
  const batch = aBatch(2);
  test.calls.send([answered, refused], batch);
  test.calls.answer(answered.call.number, REPLY);
  test.calls.fail([answered, refused], true);
  expect(await test.answerOf(answered)).toBe(REPLY);
  expect(await test.answerOf(refused)).toMatchObject({
    code: 'unavailable',
    options: { headers: { 'retry-after': '1' } },
  });
  expect(ended).toEqual([
    [answered, 'replied'],
    [refused, 'other'],
  ]);
  expect([answered.batch, refused.batch, batch.unanswered]).toEqual([batch, null, 1]);
});

it('ends a call whose account is gone as such, and as unavailable where all data are', async () => {
  const [gone, lost] = [test.open(), test.open()];
  await test.calls.endOrphan(gone);
  lostSince = lost.call.acceptedAt;
  await test.calls.endOrphan(lost);
  expect(await test.answerOf(gone)).toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('deleted while the call waited'),
  });
  expect(await test.answerOf(lost)).toMatchObject({ code: 'unavailable' });
});

it('counts a capped call that ends among those that wait no longer, and one with a slot among its holders', async () => {
  const [first, second, third] = [1, 2, 3].map(() => test.open({ caps: CAPS })) as [
    PendingCall,
    PendingCall,
    PendingCall,
  ];
  const counts = () => [test.calls.awaitingSlots, test.calls.holdingSlots];
  test.calls.admit(first, true);
  await test.calls.end(second, 'canceled');
  expect(counts()).toEqual([1, 1]);
  await test.calls.end(first, 'canceled');
  expect(counts()).toEqual([1, 0]);
  test.calls.admit(third, false);
  expect([counts(), third.hasSlot]).toEqual([[0, 0], false]);
  expect([...test.calls.values()]).toEqual([third]);
});

it('ends all of them at once for one reason', async () => {
  const opened = [test.open(), test.open({ caps: CAPS }), test.open()];
  test.calls.send([opened[2] as PendingCall], aBatch());
  await test.calls.endAll('unavailable');
  for (const pending of opened) expect(await test.answerOf(pending)).toMatchObject({ code: 'unavailable' });
  expect([...test.calls.values()]).toEqual([]);
});

it('waits for calls that are under way when it closes, takes no more, and no longer than for them', async () => {
  const pending = test.open();
  test.calls.start();
  expect(test.calls.isClosing).toBe(false);
  const startedAt = performance.now();
  const closed = test.calls.close(60_000);
  expect(test.calls.isClosing).toBe(true);
  await expect(test.calls.open(aRequest())).rejects.toMatchObject({ code: 'shutting_down' });
  await sleep(60);
  expect(pending.state).toBe('queued');
  test.calls.answer(pending.call.number, REPLY);
  await closed;
  expect(performance.now() - startedAt).toBeLessThan(30_000);
  expect(await test.answerOf(pending)).toBe(REPLY);
});

it('takes a call back whose caller goes after it was sent, and hears no more of one that was answered', async () => {
  const caller = Object.assign(new EventEmitter(), { destroyed: false });
  const [sent, answered] = [test.open({}, caller), test.open({}, caller)];
  test.calls.send([sent, answered], aBatch(2));
  test.calls.answer(answered.call.number, REPLY);
  caller.emit('close');
  await eventually(() => sent.state === 'ended');
  expect(await test.answerOf(sent)).toMatchObject({ code: 'canceled' });
  expect(ended).toEqual([
    [answered, 'replied'],
    [sent, 'never runs'],
  ]);
});

it('keeps no reply of a call that has ended while others of its batch and its caller go on', async () => {
  const caller = Object.assign(new EventEmitter(), { destroyed: false });
  const answers = [test.calls.open(aRequest(), caller), test.calls.open(aRequest(), caller)];
  const [first, second] = [...test.calls.values()] as [PendingCall, PendingCall];
  const batch = { ...aBatch(2), calls: [first, second] };
  test.calls.send([first, second], batch);
  const reply = new WeakRef({ ...REPLY });
  test.calls.answer(first.call.number, reply.deref() as typeof REPLY);
  expect(await answers.shift()).toEqual(REPLY);
  expect(await eventually(() => isCollected(reply))).toBe(true);
  expect([batch.calls.length, caller.listenerCount('close')]).toEqual([2, 2]);
  test.calls.answer(second.call.number, REPLY);
  await answers[0];
});

it('keeps nothing of a call that has ended while its caller stays', async () => {
  const caller = Object.assign(new EventEmitter(), { destroyed: false });
  const answer = test.calls.open(aRequest(), caller);
  const [pending] = [...test.calls.values()].map((one) => new WeakRef(one));
  test.calls.answer(pending?.deref()?.call.number as number, REPLY);
  expect(await answer).toEqual(REPLY);
  ended.length = 0;
  expect(await eventually(() => isCollected(pending as WeakRef<PendingCall>))).toBe(true);
  expect(caller.listenerCount('close')).toBe(1);
});
