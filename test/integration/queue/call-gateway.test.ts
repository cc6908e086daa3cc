import { EventEmitter } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { CallCaps } from '../../../src/directory/accounts.ts';
import { raiseQueueShards } from '../../../src/directory/queue-shards.ts';
import { Tenants } from '../../../src/directory/tenants.ts';
import { openLogger } from '../../../src/logger.ts';
import { CallConsumers } from '../../../src/queue/consume/call-consumers.ts';
import { ReplyWriter } from '../../../src/queue/consume/reply-writer.ts';
import { encodeFrame } from '../../../src/queue/frame.ts';
import type { Lane } from '../../../src/queue/queues.ts';
import { CallGateway, type CallGatewayOptions } from '../../../src/queue/submit/call-gateway.ts';
import type { WireCall } from '../../../src/queue/wire.ts';
import type { RedisClock } from '../../../src/redis/clock.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { repliesKey } from '../../../src/redis/keys.ts';
import { eventually } from '../../support/eventually.ts';
import { aClock, aRequest } from '../../support/queue/test-calls.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const log = openLogger({ LOG_LEVEL: 'silent' }, 'test');

let server: TestRedis;
let redis: RedisConnection;
let clock: RedisClock;
let connections: RedisConnection[];
let gateways: CallGateway[];
let consumers: CallConsumers | undefined;
/** The calls that ran, with the lane and the name of the batch. */
let ran: { id: string; lane: Lane; batch: string }[];
/** What a call awaits before it is answered. */
let until: (call: WireCall) => Promise<void>;
let isLost: boolean;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'worker', () => undefined);
  await untilReady(redis);
  clock = await aClock(redis);
});

beforeEach(async () => {
  await redis.flushall();
  [connections, gateways, ran, consumers, isLost] = [[], [], [], undefined, false];
  until = async () => undefined;
});

afterEach(async () => {
  await Promise.all(gateways.map((gateway) => gateway.close(0)));
  await consumers?.close(0);
  for (const connection of connections) connection.disconnect();
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

async function open(role: 'request' | 'blocking' | 'submit' | 'subscriber'): Promise<RedisConnection> {
  const connection = openRedis(server.url, role, () => undefined);
  connections.push(connection);
  await untilReady(connection);
  return connection;
}

async function start(more: Partial<CallGatewayOptions> = {}): Promise<CallGateway> {
  const gateway = new CallGateway({
    ...{ redis, clock, log, blocking: await open('blocking'), queueConnection: await open('submit') },
    subscriber: await open('subscriber'),
    findCaps: async () => null,
    isLostSince: async () => isLost,
    freshness: { isFresh: () => true },
    ...{ maxWaitMs: 5_000, timeoutMs: 60_000, inFlightMax: 1_000, bytesInFlightMax: 2 ** 28 },
    ...more,
  });
  gateways.push(gateway);
  await gateway.start();
  return gateway;
}

/** Serves so many shards: answers each call with its own id. */
function serve(shards = 1): void {
  const replies = new ReplyWriter(redis);
  consumers = new CallConsumers({
    connection: redis,
    log,
    tenants: new Tenants(redis, { isFresh: () => true }),
    handlers: {
      hasRoom: () => true,
      jobRestarted: () => undefined,
      run: async ({ id: batch, replyTo, calls }, lane) => {
        const answer = async (call: WireCall) => {
          ran.push({ id: call.id, lane, batch });
          await until(call);
          await replies.send(replyTo, call.number, encodeFrame(200, '', `"${call.id}"`));
        };
        await Promise.all(calls.map(answer));
      },
      findUnrecorded: async ({ calls }) => calls,
      giveUp: async () => undefined,
    },
  });
  consumers.grow(shards);
}

/** Until it is let go. */
function hold() {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  until = () => released;
  return () => release();
}

it('takes calls of both lanes through the queue and gives each its own reply', async () => {
  serve();
  const gateway = await start();
  const requests = Array.from({ length: 40 }, (_, n) => aRequest({ lane: n % 2 === 0 ? 'shared' : 'slow' }));
  const replies = await Promise.all(requests.map((request) => gateway.submit(request)));
  expect(replies.map(({ body }) => body)).toEqual(requests.map(({ id }) => `"${id}"`));
  expect(replies[0]).toEqual({ status: 200, offset: null, headers: {}, body: expect.any(String) });
  for (const { id, lane } of requests) expect(ran.find((one) => one.id === id)).toMatchObject({ lane });
  expect(gateway.load).toMatchObject({ inFlight: 0, backlog: 0, outstanding: 0, oldestWaitMs: 0 });
});

it('says how much it has to do', async () => {
  serve();
  const release = hold();
  const gateway = await start({ inFlightMax: 100_000 });
  expect(gateway.load).toMatchObject({ permits: 384, inFlight: 0 });
  const workspaceId = 'ws_1';
  const answers = Array.from({ length: 500 }, () => gateway.submit(aRequest({ workspaceId })));
  const slow = gateway.submit(aRequest({ workspaceId, lane: 'slow' }));
  await eventually(() => gateway.load.outstanding > 350);
  const { inFlight, backlog, outstanding } = gateway.load;
  expect([inFlight, outstanding <= 384, backlog > 50, backlog <= 150]).toEqual([501, true, true, true]);
  const waited = gateway.load.oldestWaitMs;
  await eventually(() => gateway.load.oldestWaitMs > waited + 50);
  release();
  until = async () => undefined;
  await Promise.all([...answers, slow]);
  expect(gateway.load).toMatchObject({ inFlight: 0, backlog: 0, outstanding: 0, oldestWaitMs: 0 });
});

it('counts what its admission refuses, and lets what is answered make room', async () => {
  serve();
  const release = hold();
  const gateway = await start({ bytesInFlightMax: 1_000 });
  const first = gateway.submit(aRequest({ bytes: 600 }));
  await expect(gateway.submit(aRequest({ bytes: 600 }))).rejects.toMatchObject({ code: 'overloaded' });
  expect(Object.fromEntries(gateway.load.refusals)).toMatchObject({ bytes: 1 });
  release();
  await first;
  await gateway.submit(aRequest({ bytes: 600 }));
});

it('spreads calls over the shards there are, also over those that come later', async () => {
  serve(3);
  await raiseQueueShards(redis, 3);
  const gateway = await start();
  expect(gateway.load.permits).toBe(3 * 384);
  const release = hold();
  const answers = Array.from({ length: 60 }, () => gateway.submit(aRequest()));
  await eventually(() => gateway.load.outstanding === 60);
  release();
  await Promise.all(answers);
  const shards = new Set(ran.map(({ batch }) => batch.split('.')[0]?.slice(gateway.processName.length)));
  expect([...shards].sort()).toEqual(['', '-2', '-3']);
});

it('waits with further shards until all workers have looked, too', async () => {
  const gateway = await start();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await raiseQueueShards(redis, 2);
  const raisedAt = performance.now();
  await eventually(() => gateway.load.permits === 2 * 384);
  expect(performance.now() - raisedAt).toBeGreaterThan(5_000);
});

it('holds calls to their caps, and counts the slots', async () => {
  serve();
  const release = hold();
  const caps: CallCaps = { workspace: 2, account: null };
  const gateway = await start({ findCaps: async () => caps });
  const workspaceId = 'ws_1';
  const answers = Array.from({ length: 5 }, () => gateway.submit(aRequest({ workspaceId, caps })));
  await eventually(() => ran.length === 2);
  expect(gateway.load).toMatchObject({ slotsHeld: 2, slotsAwaited: 3, backlog: 0, inFlight: 5 });
  release();
  await Promise.all(answers);
  expect(gateway.load).toMatchObject({ slotsHeld: 0, slotsAwaited: 0, outstanding: 0, inFlight: 0 });
  await eventually(async () => (await redis.keys('*slots*')).length === 0);
});

it('takes a call back whose caller is gone before a worker has it', async () => {
  const gateway = await start();
  const caller = Object.assign(new EventEmitter(), { destroyed: false });
  const answer = gateway.submit(aRequest(), caller);
  await eventually(async () => (await redis.keys('*calls-shared:*.1')).length === 1);
  caller.emit('close');
  await expect(answer).rejects.toMatchObject({ code: 'canceled' });
  await eventually(async () => (await redis.keys('*calls-shared:*.1')).length === 0);
});

it('ends a call at its deadline where no worker is', async () => {
  const gateway = await start();
  await expect(gateway.submit(aRequest({ timeoutMs: 100 }))).rejects.toMatchObject({ code: 'call_timeout' });
  expect(gateway.load).toMatchObject({ inFlight: 0, outstanding: 0 });
});

it('finds a call whose job is gone', async () => {
  const gateway = await start();
  const answer = gateway.submit(aRequest()).catch((problem) => problem);
  await eventually(async () => (await redis.keys('*calls-shared:*.1')).length === 1);
  await redis.del(...(await redis.keys('*calls-shared:*')));
  expect(await answer).toMatchObject({ code: 'unavailable' });
});

it('begins anew when Redis has lost its data: ends what waits, and hears of what comes then', async () => {
  const gateway = await start();
  const answers = [1, 2].map(() => gateway.submit(aRequest()).catch((problem) => problem));
  await eventually(async () => (await redis.keys('*calls-shared:*.1')).length === 1);
  await redis.flushall();
  await gateway.beginAnew();
  expect(await Promise.all(answers)).toMatchObject([{ code: 'unavailable' }, { code: 'unavailable' }]);
  serve();
  const request = aRequest();
  expect((await gateway.submit(request)).body).toBe(`"${request.id}"`);
});

it('sees the calls under way through when it closes, and lets go of Redis', async () => {
  serve();
  const release = hold();
  const gateway = await start();
  const answer = gateway.submit(aRequest());
  await eventually(() => ran.length === 1);
  const closed = gateway.close(60_000);
  await expect(gateway.submit(aRequest())).rejects.toMatchObject({ code: 'shutting_down' });
  release();
  expect(await answer).toMatchObject({ status: 200 });
  await closed;
  expect(await redis.exists(repliesKey(gateway.processName))).toBe(0);
  gateways = [];
});
