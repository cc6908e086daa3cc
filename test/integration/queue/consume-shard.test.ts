import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Tenants } from '../../../src/directory/tenants.ts';
import { openLogger } from '../../../src/logger.ts';
import {
  type CallConsumer,
  type CallHandlers,
  consumeShard,
} from '../../../src/queue/consume/consume-shard.ts';
import { JOB_OPTIONS, LANES, type Lane, openQueue, queueName } from '../../../src/queue/queues.ts';
import { type CallBatch, WIRE_VERSION, type WireCall } from '../../../src/queue/wire.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { queuePrefix } from '../../../src/redis/keys.ts';
import { eventually } from '../../support/eventually.ts';
import { aCallBatch, aWireCall } from '../../support/queue/pending-calls.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

/** Calls as they were run or given up, by their ids, with the lane. */
interface Seen {
  ran: { lane: Lane; calls: string[] }[];
  givenUp: string[][];
}

let server: TestRedis;
let redis: RedisConnection;
let consumers: CallConsumer[];
let seen: Seen;

beforeEach(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'worker', () => undefined);
  await untilReady(redis);
  consumers = [];
  seen = { ran: [], givenUp: [] };
});

afterEach(async () => {
  await Promise.all(consumers.map((consumer) => consumer.close(0)));
  redis.disconnect();
  await server.stop();
});

const idsOf = ({ calls }: { calls: WireCall[] }) => calls.map(({ id }) => id);

/** Serves shard 0; `more` is what its handlers do otherwise than to note what comes. */
function consume(more: Partial<CallHandlers> = {}): CallConsumer {
  const handlers: CallHandlers = {
    run: async (batch, lane) => void seen.ran.push({ lane, calls: idsOf(batch) }),
    findUnrecorded: async ({ calls }) => calls,
    giveUp: async (batch) => void seen.givenUp.push(idsOf(batch)),
    ...more,
  };
  const log = openLogger({ LOG_LEVEL: 'silent' }, 'test');
  const options = { connection: redis, handlers, tenants: new Tenants(redis, { covers: () => true }), log };
  const consumer = consumeShard(options, 0, WIRE_VERSION);
  consumers.push(consumer);
  return consumer;
}

/** Puts a batch on a lane as if it had been started so often already, in processes that died. */
async function add(lane: Lane, batch: CallBatch, starts = 0): Promise<void> {
  const queue = openQueue(lane, redis, 0, WIRE_VERSION);
  await queue.add('calls', batch, { ...JOB_OPTIONS, jobId: batch.id });
  // Where BullMQ counts the starts of a job.
  await redis.hset(`${queuePrefix(0)}:${queueName(lane, WIRE_VERSION)}:${batch.id}`, 'ats', starts);
  await queue.close();
}

const someCalls = (count: number) =>
  aCallBatch(
    WIRE_VERSION,
    Array.from({ length: count }, () => aWireCall()),
  );

it('runs the batches of every lane, and leaves nothing on the queues', async () => {
  const batches = LANES.map((lane) => ({ lane, batch: someCalls(lane === 'shared' ? 3 : 1) }));
  for (const { lane, batch } of batches) await add(lane, batch);
  consume();
  await eventually(() => seen.ran.length === LANES.length);
  expect(new Set(seen.ran)).toEqual(
    new Set(batches.map(({ lane, batch }) => ({ lane, calls: idsOf(batch) }))),
  );
  await eventually(async () => (await redis.keys(`${queuePrefix(0)}:*:call_*`)).length === 0);
});

it('hands a call over to the slow lane once, however often it is moved', async () => {
  const batch = someCalls(2);
  const [first, second] = batch.calls as [WireCall, WireCall];
  consume({
    run: async (some, lane, moveToSlow) => {
      if (lane === 'shared') for (const _ of [1, 2]) await moveToSlow(second);
      seen.ran.push({ lane, calls: idsOf(some) });
    },
  });
  await add('shared', batch);
  await eventually(() => seen.ran.length === 2);
  expect(seen.ran).toContainEqual({ lane: 'shared', calls: [first.id, second.id] });
  expect(seen.ran).toContainEqual({ lane: 'slow', calls: [second.id] });
});

describe('a job whose process died', () => {
  it('of the shared lane is divided: each call without an outcome runs with no other beside it', async () => {
    const batch = someCalls(3);
    consume({ findUnrecorded: async ({ calls }) => calls.slice(1) });
    await add('shared', batch, 1);
    await eventually(() => seen.ran.length === 2);
    const alone = idsOf(batch)
      .slice(1)
      .map((id) => ({ lane: 'lone', calls: [id] }));
    expect(new Set(seen.ran)).toEqual(new Set(alone));
    expect(seen.givenUp).toEqual([]);
  });

  it.each([
    ['slow', 1, 'lone'],
    ['lone', 1, 'lone'],
  ] as const)('of the %s lane, started %i time before, runs in the %s lane', async (lane, starts, where) => {
    const batch = someCalls(1);
    consume();
    await add(lane, batch, starts);
    await eventually(() => seen.ran.length === 1);
    expect(seen.ran).toEqual([{ lane: where, calls: idsOf(batch) }]);
  });

  it.each(['slow', 'lone'] as const)(
    'of the %s lane is given up after it was started twice',
    async (lane) => {
      const batch = someCalls(1);
      consume();
      await add(lane, batch, 2);
      await eventually(() => seen.givenUp.length === 1);
      expect(seen.givenUp).toEqual([idsOf(batch)]);
      expect(seen.ran).toEqual([]);
    },
  );

  it('is not given up for the starts of workers that were shut down', async () => {
    const batch = { ...someCalls(1), handedBack: 2 };
    consume();
    await add('lone', batch, 3);
    await eventually(() => seen.ran.length === 1);
    expect(seen.givenUp).toEqual([]);
  });
});

it('gives up the calls of a job that fails', async () => {
  const batch = someCalls(2);
  consume({ run: () => Promise.reject(new Error('a mistake of ours')) });
  await add('shared', batch);
  await eventually(() => seen.givenUp.length === 1);
  expect(seen.givenUp).toEqual([idsOf(batch)]);
});

it('hands back what still runs when it is closed, and another runs it again', async () => {
  const batch = someCalls(1);
  let started = 0;
  const first = consume({
    run: () => {
      started += 1;
      return new Promise(() => undefined);
    },
  });
  await add('lone', batch);
  await eventually(() => started === 1);
  await first.close(50);
  consume();
  await eventually(() => seen.ran.length === 1);
  expect(seen.ran).toEqual([{ lane: 'lone', calls: idsOf(batch) }]);
});
