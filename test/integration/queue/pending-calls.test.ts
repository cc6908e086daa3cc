import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../../../src/ids.ts';
import { callEntry } from '../../../src/ledger/entry.ts';
import { findRecorded } from '../../../src/ledger/settle.ts';
import { encodeFrame } from '../../../src/queue/frame.ts';
import type { PendingCall, SentBatch } from '../../../src/queue/submit/pending-call.ts';
import { waitsSince } from '../../../src/queue/wire.ts';
import type { RedisClock } from '../../../src/redis/clock.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { aClock, aRequest, TestCalls } from '../../support/queue/test-calls.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const REPLY = { status: 200, offset: null, headers: {}, body: '{}' };

let server: TestRedis;
let redis: RedisConnection;
let clock: RedisClock;
let test: TestCalls;
let ended: [PendingCall, string][];

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'request', () => undefined);
  await untilReady(redis);
  clock = await aClock(redis);
});

beforeEach(() => {
  ended = [];
  test = new TestCalls(redis, clock, { ended: (pending, how) => void ended.push([pending, how]) });
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

function aBatch(unanswered = 1): SentBatch {
  return {
    id: newId('call'),
    ledgerExpiresAt: clock.now() + 60_000,
    unanswered,
    sentAt: performance.now(),
    calls: [],
  };
}

function recordedOf({ call, batch }: PendingCall): Promise<string | null> {
  return findRecorded(redis, callEntry(redis, call, batch as SentBatch));
}

it('a call that was not sent ends at once, and nothing is recorded', async () => {
  const pending = test.open();
  expect(pending.state).toBe('queued');
  await test.calls.end(pending, 'canceled');
  expect(await test.answerOf(pending)).toMatchObject({ code: 'canceled' });
  expect(ended).toEqual([[pending, 'other']]);
  expect(await redis.keys('*ledger*')).toEqual([]);
});

it('a call that ended before its turn no longer holds its params, which no longer count', async () => {
  const pending = test.open({ params: { message: 'x'.repeat(1_000) } });
  await test.calls.end(pending, 'canceled');
  expect(pending.call.params).toEqual({});
});

it('a call that was sent ends once it is certain that it never runs', async () => {
  const pending = test.open();
  const batch = aBatch(2);
  test.calls.send([pending], batch);
  expect([pending.state, pending.hasPermit]).toEqual(['sent', true]);
  await test.calls.end(pending, 'unavailable');
  expect(await test.answerOf(pending)).toMatchObject({ code: 'unavailable' });
  expect(ended).toEqual([[pending, 'never runs']]);
  expect(batch.unanswered).toBe(1);
  expect(await recordedOf(pending)).toBe('void');
});

it('a batch lets go of its calls once all of them are answered', async () => {
  const calls = [test.open(), test.open()];
  const batch = { ...aBatch(2), calls: [...calls] };
  test.calls.send(calls, batch);
  const numbers = calls.map(({ call }) => call.number);
  test.calls.answer(numbers[0] as number, REPLY);
  expect(batch.calls).toEqual(calls);
  test.calls.answer(numbers[1] as number, REPLY);
  expect(batch.calls).toEqual([]);
});

it('a call that has run is answered with what it recorded, whatever it was to end for', async () => {
  const pending = test.open();
  const batch = aBatch();
  test.calls.send([pending], batch);
  const { ledger, field } = callEntry(redis, pending.call, batch);
  await redis.hset(ledger, field, encodeFrame(200, '', '{"result":true}'));
  await test.calls.end(pending, 'call_timeout');
  expect(await test.answerOf(pending)).toMatchObject({ status: 200, body: '{"result":true}' });
  expect(ended).toEqual([[pending, 'other']]);
});

it('a call past the expiry of its ledger is of unknown outcome', async () => {
  const pending = test.open();
  test.calls.send([pending], { ...aBatch(), ledgerExpiresAt: clock.now() - 1_000 });
  await test.calls.end(pending, 'call_timeout');
  expect(await test.answerOf(pending)).toMatchObject({ code: 'outcome_unknown' });
});

it('a reply that comes while the ledger is asked is the answer, and what comes later is not', async () => {
  const pending = test.open();
  test.calls.send([pending], aBatch());
  const asking = test.calls.end(pending, 'canceled');
  test.calls.answer(pending.call.number, REPLY);
  await asking;
  test.calls.answer(pending.call.number, { ...REPLY, status: 500 });
  await test.calls.end(pending, 'call_timeout');
  expect(await test.answerOf(pending)).toBe(REPLY);
  expect(ended).toEqual([[pending, 'replied']]);
});

it('calls whose job was refused need no ledger, others do', async () => {
  const [refused, unknown] = [test.open(), test.open()];
  for (const pending of [refused, unknown]) test.calls.send([pending], aBatch());
  test.calls.fail([refused], true);
  test.calls.fail([unknown], false);
  for (const pending of [refused, unknown])
    expect(await test.answerOf(pending)).toMatchObject({ code: 'unavailable' });
  expect(ended).toEqual([
    [refused, 'other'],
    [unknown, 'never runs'],
  ]);
  expect(await recordedOf(unknown)).toBe('void');
});

it('a permit is taken once', () => {
  const pending = test.open();
  expect(test.calls.takePermit(pending)).toBe(false);
  test.calls.send([pending], aBatch());
  expect([test.calls.takePermit(pending), test.calls.takePermit(pending)]).toEqual([true, false]);
});

it('ends each call at its deadline and not before', async () => {
  const [late, early] = [test.open({ timeoutMs: 60_000 }), test.open({ timeoutMs: 30 })];
  const { deadline } = early;
  test.calls.start();
  expect(await test.answerOf(early)).toMatchObject({ code: 'call_timeout' });
  expect(performance.now()).toBeGreaterThanOrEqual(deadline);
  expect(late.state).toBe('queued');
  const closed = test.calls.close(0);
  expect(await test.answerOf(late)).toMatchObject({ code: 'shutting_down' });
  await closed;
});

it('takes a call back when its caller is gone, and none of one that has gone before', async () => {
  const caller = Object.assign(new EventEmitter(), { destroyed: false });
  const pending = test.open({}, caller);
  caller.emit('close');
  expect(await test.answerOf(pending)).toMatchObject({ code: 'canceled' });
  caller.destroyed = true;
  await expect(test.calls.open(aRequest(), caller)).rejects.toMatchObject({
    code: 'canceled',
  });
  expect(ended).toHaveLength(1);
});

it('tells since when a call waits for the service: not while it waits for its caps', async () => {
  const pending = test.open({ caps: { workspace: 1, account: null } });
  const { call } = pending;
  expect(waitsSince(call)).toBe(call.acceptedAt);
  await sleep(5);
  test.calls.admit(pending, true);
  expect(waitsSince(call)).toBeGreaterThan(call.acceptedAt);
  await test.calls.end(pending, 'canceled');
});

it('counts the calls that wait for slots and those that hold one, until they end', async () => {
  const caps = { workspace: 1, account: null };
  const [first, second, third] = [test.open({ caps }), test.open({ caps }), test.open({ caps })];
  const counts = () => [test.calls.awaitingSlots, test.calls.holdingSlots];
  expect([first.state, counts()]).toEqual(['capped', [3, 0]]);
  test.calls.admit(first, true);
  test.calls.admit(second, false);
  expect([first.state, second.state, counts()]).toEqual(['queued', 'queued', [1, 1]]);
  for (const pending of [first, second, third]) await test.calls.end(pending, 'canceled');
  expect(counts()).toEqual([0, 0]);
});
