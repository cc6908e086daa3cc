import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { Tenants } from '../../../src/directory/tenants.ts';
import { type Claim, claimIdempotencyKey } from '../../../src/ledger/claim.ts';
import { openLogger } from '../../../src/logger.ts';
import { type CallConsumer, consumeShard } from '../../../src/queue/consume/consume-shard.ts';
import { ReplyWriter } from '../../../src/queue/consume/reply-writer.ts';
import { decodeFrame } from '../../../src/queue/frame.ts';
import { JOB_OPTIONS, type Lane, openQueue, queueName } from '../../../src/queue/queues.ts';
import { type CallBatch, WIRE_VERSION, type WireCall } from '../../../src/queue/wire.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { queuePrefix, stateKey, updatesKey } from '../../../src/redis/keys.ts';
import { NO_TRACING } from '../../../src/tracing/trace.ts';
import { CallLog } from '../../../workers/call-log.ts';
import { CallRunner } from '../../../workers/call-runner.ts';
import { type Driver, defineMethod } from '../../../workers/driver.ts';
import { CallExecutor } from '../../../workers/executor/call-executor.ts';
import { RunMetrics } from '../../../workers/run-metrics.ts';
import { StopSignals } from '../../../workers/stop-signals.ts';
import { eventually } from '../../support/eventually.ts';
import { aCallBatch, aWireCall } from '../../support/queue/pending-calls.ts';
import { aClock } from '../../support/queue/test-calls.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const STREAM = 'replies';
const MESSAGES = 'messages';

let server: TestRedis;
let redis: RedisConnection;
let callLog: CallLog;
let runner: CallRunner;
let consumer: CallConsumer | undefined;
/** How often the method ran. */
let runs: number;

/** Deletes all messages and says how many they were: when it runs again, none is left, and it changes nothing. */
const driver: Driver = {
  name: 'sandbox',
  methods: new Map([
    [
      'messages.deleteMessages',
      defineMethod('messages.deleteMessages', async (_, { tx, account }) => {
        runs += 1;
        const found = await tx.read.hkeys(tx.key(MESSAGES));
        for (const id of found) tx.hdel(MESSAGES, id);
        const target = { messengerAccountId: account.id, userId: account.userId };
        if (found.length > 0) tx.update(target, { _: 'updateConfig' });
        return { _: 'messages.affectedMessages', pts: 1, ptsCount: found.length };
      }),
    ],
  ]),
  orders: new Map(),
  findFault: async () => null,
};

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'state', () => undefined);
  await untilReady(redis);
  const log = openLogger(readConfig({ REDIS_URL: server.url, LOG_LEVEL: 'silent' }), 'test');
  const clock = await aClock(redis);
  callLog = new CallLog(log, { SLOW_CALL_MS: 60_000 }, new Registry());
  runner = new CallRunner({
    ...{ state: redis, clock, callLog, log, signals: new StopSignals() },
    executor: new CallExecutor({
      ...{ state: redis, clock, crashFaults: false },
      drivers: new Map([[driver.name, driver]]),
      data: { isLostSince: async () => false },
    }),
    replies: new ReplyWriter(redis),
    tracing: NO_TRACING,
    metrics: new RunMetrics(new Registry()),
    retention: { touch: () => undefined },
    deliveries: { touch: () => undefined },
  });
});

beforeEach(async () => {
  await redis.flushall();
  await redis.xadd(STREAM, '0-1', '', '');
  [runs, consumer] = [0, undefined];
});

afterEach(() => consumer?.close(0));

afterAll(async () => {
  callLog.stop();
  redis.disconnect();
  await server.stop();
});

async function aDeletion(withKey: boolean): Promise<WireCall> {
  const call = aWireCall({ method: 'messages.deleteMessages', params: { id: [1, 2, 3] } });
  await redis.hset(stateKey(call.workspaceId, MESSAGES), { 1: 'a', 2: 'b', 3: 'c' });
  if (!withKey) return call;
  const claimed = await claim(call);
  if ('replay' in claimed) throw new Error('it was used before');
  return { ...call, key: claimed };
}

function claim({ id: callId, workspaceId, account, method, params, notAfter }: WireCall): Promise<Claim> {
  return claimIdempotencyKey(redis, {
    ...{ workspaceId, accountId: account.id, method, params, notAfter },
    ...{ key: 'k', callId, processName: 'test' },
  });
}

const moveNothing = () => Promise.reject(new Error('nothing is moved here'));

/** Runs a batch in a worker that is killed once everything is committed, before anybody hears of it. */
async function runAndDie(batch: CallBatch, lane: Lane): Promise<void> {
  await runner.run(batch, lane, moveNothing);
  expect(await answers()).toHaveLength(batch.calls.length);
  await redis.xtrim(STREAM, 'MAXLEN', 0);
  const queue = openQueue(lane, redis, 0, WIRE_VERSION);
  await queue.add('calls', batch, { ...JOB_OPTIONS, jobId: batch.id });
  // Where BullMQ counts the starts of a job.
  await redis.hset(`${queuePrefix(0)}:${queueName(lane, WIRE_VERSION)}:${batch.id}`, 'ats', 1);
  await queue.close();
}

/** Starts the worker that takes the job over. */
function takeOver(): void {
  consumer = consumeShard(
    {
      ...{ connection: redis, handlers: runner, log: openLogger({ LOG_LEVEL: 'silent' }, 'test') },
      tenants: new Tenants(redis, { isFresh: () => true }),
    },
    0,
    WIRE_VERSION,
  );
}

/** The replies on the stream, by the numbers of their calls. */
async function answers() {
  const entries = await redis.xrange(STREAM, '-', '+');
  return entries.flatMap(([, fields]) =>
    fields.flatMap((field, at) =>
      at % 2 === 0 && field !== ''
        ? [{ number: Number(field), ...decodeFrame(fields[at + 1] as string) }]
        : [],
    ),
  );
}

describe.each(['shared', 'slow', 'lone'] as const)(
  'a call of the %s lane whose worker is killed between its commit and its reply',
  (lane) => {
    it.each([
      [false, 'nothing'],
      [false, 'something new'],
      [true, 'nothing'],
      [true, 'something new'],
    ])(
      'is answered with what was recorded and has no second effect: with a key %s, finding %s',
      async (withKey, found) => {
        const call = await aDeletion(withKey);
        const messages = stateKey(call.workspaceId, MESSAGES);
        await runAndDie(aCallBatch(WIRE_VERSION, [call]), lane);
        expect([runs, await redis.exists(messages)]).toEqual([1, 0]);
        if (found !== 'nothing') await redis.hset(messages, { 9: 'later' });
        takeOver();
        const [answer] = await eventually(async () => {
          const all = await answers();
          return all.length > 0 && all;
        });
        expect(JSON.parse(answer?.body ?? '')).toMatchObject({ result: { ptsCount: 3 } });
        expect(answer).toMatchObject({ number: call.number, status: 200 });
        expect(await redis.hkeys(messages)).toEqual(found === 'nothing' ? [] : ['9']);
        expect(await redis.xlen(updatesKey(call.workspaceId))).toBe(1);
        await eventually(async () => (await redis.keys(`${queuePrefix(0)}:*:call_*`)).length === 0);
        expect(await answers()).toHaveLength(1);
      },
    );
  },
);

it('what a call with a key answers is recorded though it changed nothing: its repeat is not another call', async () => {
  const call = await aDeletion(true);
  await redis.del(stateKey(call.workspaceId, MESSAGES));
  await runner.run(aCallBatch(WIRE_VERSION, [call]), 'shared', moveNothing);
  const [answer] = await answers();
  expect(JSON.parse(answer?.body ?? '')).toMatchObject({ result: { ptsCount: 0 } });
  const again = await claim({ ...call, id: `${call.id}-again` });
  if (!('replay' in again)) throw new Error('it was not recorded');
  expect(decodeFrame(again.replay).body).toBe(answer?.body);
});

it('of a batch that a worker left half done, what was recorded is answered and the rest runs', async () => {
  const [done, undone] = [await aDeletion(false), await aDeletion(false)];
  undone.number = 2;
  const batch = aCallBatch(WIRE_VERSION, [done, undone]);
  await runAndDie({ ...batch, calls: [done] }, 'shared');
  const queue = openQueue('shared', redis, 0, WIRE_VERSION);
  await (await queue.getJob(batch.id))?.updateData(batch);
  await queue.close();
  takeOver();
  const found = await eventually(async () => {
    const all = await answers();
    return all.length === 2 && all;
  });
  expect(new Set(found.map(({ number, status }) => [number, status].join()))).toEqual(
    new Set(['1,200', '2,200']),
  );
  for (const { body } of found) expect(JSON.parse(body)).toMatchObject({ result: { ptsCount: 3 } });
  expect(runs).toBe(2);
});
