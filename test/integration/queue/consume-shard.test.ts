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
    hasRoom: () => true,
    jobRestarted: () => undefined,
    findUnrecorded: async ({ calls }) => calls,
    giveUp: async (batch) => void seen.givenUp.push(idsOf(batch)),
    ...more,
  };
  const log = openLogger({ LOG_LEVEL: 'silent' }, 'test');
  const options = { connection: redis, handlers, tenants: new Tenants(redis, { isFresh: () => true }), log };
  const consumer = consumeShard(options, 0, WIRE_VERSION);
  consumers.push(consumer);
  return consumer;
}

/** Puts a batch on a lane as if it had been started so often already, in processes that died. */
async function add(lane: Lane, batch: CallBatch, starts = 0): Promise<void> {
  const queue = openQueue(lane, redis, 0, WIRE_VERSION);
  await queue.add('calls', batch, { ...JOB_OPTIONS, jobId: batch.id });
  // Where BullMQ counts the starts of a job.
  await redis.hset(keyOf(lane, batch.id), 'ats', starts);
  await queue.close();
}

const keyOf = (lane: Lane, id: string) => `${queuePrefix(0)}:${queueName(lane, WIRE_VERSION)}:${id}`;

/** A promise, and what resolves it. */
function aGate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
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

it('takes no more jobs while it has no room, so that another worker has them', async () => {
  const gate = aGate();
  const taken: Record<string, number> = { full: 0, free: 0 };
  const note = (worker: string, until: Promise<void>) => async () => {
    taken[worker] = (taken[worker] ?? 0) + 1;
    await until;
  };
  let isFull = true;
  consume({ hasRoom: () => !isFull, run: note('full', gate.opened) });
  await add('shared', someCalls(1));
  await eventually(() => taken.full === 1);
  consume({ run: note('free', Promise.resolve()) });
  for (let n = 0; n < 10; n += 1) await add('shared', someCalls(1));
  // It may have asked for the next job before it began with the first.
  await eventually(() => (taken.free ?? 0) >= 9);
  isFull = false;
  gate.open();
  await eventually(() => (taken.full ?? 0) + (taken.free ?? 0) === 11);
});

it('takes no more jobs at once than it has room for, however many wait', async () => {
  const gate = aGate();
  const taken = { first: 0, other: 0 };
  for (let n = 0; n < 10; n += 1) await add('shared', someCalls(1));
  consume({
    hasRoom: () => taken.first < 2,
    run: async () => {
      taken.first += 1;
      await gate.opened;
    },
  });
  await eventually(() => taken.first === 2);
  consume({
    run: async () => {
      taken.other += 1;
    },
  });
  await eventually(() => taken.other === 8);
  expect(taken.first).toBe(2);
  gate.open();
});

describe('a job whose process died', () => {
  it('of the shared lane is divided: each call without an outcome runs with no other beside it', async () => {
    const batch = someCalls(3);
    await add('shared', batch, 1);
    consume({ findUnrecorded: async ({ calls }) => calls.slice(1) });
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
    await add(lane, batch, starts);
    consume();
    await eventually(() => seen.ran.length === 1);
    expect(seen.ran).toEqual([{ lane: where, calls: idsOf(batch) }]);
  });

  it.each(['slow', 'lone'] as const)(
    'of the %s lane is given up after it was started twice',
    async (lane) => {
      const batch = someCalls(1);
      await add(lane, batch, 2);
      consume();
      await eventually(() => seen.givenUp.length === 1);
      expect(seen.givenUp).toEqual([idsOf(batch)]);
      expect(seen.ran).toEqual([]);
    },
  );

  it('is not given up for the starts of workers that were shut down', async () => {
    const batch = { ...someCalls(1), handedBack: 2 };
    await add('lone', batch, 3);
    consume();
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

describe('a job that was handed back', () => {
  it.each([
    ['slow', 1, 1, 'slow'],
    ['slow', 2, 1, 'lone'],
    ['lone', 2, 1, 'lone'],
    ['lone', 2, 2, 'lone'],
  ] as const)(
    'of the %s lane, started %i times and handed back %i times, runs in the %s lane',
    async (lane, starts, handedBack, where) => {
      const batch = { ...someCalls(1), handedBack };
      await add(lane, batch, starts);
      consume();
      await eventually(() => seen.ran.length === 1);
      expect([seen.ran, seen.givenUp]).toEqual([[{ lane: where, calls: idsOf(batch) }], []]);
    },
  );

  it.each([
    ['slow', 3, 1],
    ['lone', 4, 2],
  ] as const)(
    'of the %s lane, started %i times and handed back %i times, is given up',
    async (lane, starts, handedBack) => {
      const batch = { ...someCalls(1), handedBack };
      await add(lane, batch, starts);
      consume();
      await eventually(() => seen.givenUp.length === 1);
      expect([seen.ran, seen.givenUp]).toEqual([[], [idsOf(batch)]]);
    },
  );

  it('of the shared lane is divided all the same', async () => {
    const batch = { ...someCalls(2), handedBack: 1 };
    await add('shared', batch, 1);
    consume();
    await eventually(() => seen.ran.length === 2);
    expect(seen.ran.map(({ lane }) => lane)).toEqual(['lone', 'lone']);
  });

  it('of the shared lane leaves nothing of that to the jobs it is divided into, whose starts are their own', async () => {
    const batch = { ...someCalls(1), handedBack: 1 };
    await add('shared', batch, 1);
    const found: unknown[] = [];
    consume({
      run: async (ran, lane) => {
        found.push(lane, ran.handedBack);
      },
    });
    await eventually(() => found.length > 0);
    expect(found).toEqual(['lone', undefined]);
  });
});

it.each([
  [5, 'slow'],
  [4, 'lone'],
] as const)(
  'a slow job that was started five times and put back %i times runs in the %s lane',
  async (putBack, where) => {
    const batch = someCalls(1);
    await add('slow', batch, 5);
    // Where BullMQ keeps it.
    await redis.hset(keyOf('slow', batch.id), 'progress', putBack);
    consume();
    await eventually(() => seen.ran.length === 1);
    expect([seen.ran, seen.givenUp]).toEqual([[{ lane: where, calls: idsOf(batch) }], []]);
  },
);

it('lets a call of the lone lane go on in the slow lane once, although its former job is still there', async () => {
  const batch = someCalls(1);
  const id = batch.calls[0]?.id as string;
  // Of another shard's worker: nobody runs it.
  await redis.hset(keyOf('slow', id), 'name', 'calls');
  await add('lone', batch, 1);
  consume({
    run: async (some, lane, moveToSlow) => {
      seen.ran.push({ lane, calls: idsOf(some) });
      if (lane === 'lone' && !some.wasLone) await moveToSlow(some.calls[0] as WireCall);
    },
  });
  await eventually(() => seen.ran.length === 2);
  expect(seen.ran.map(({ lane }) => lane)).toEqual(['lone', 'slow']);
});

it('lets a call that dies with its process in the slow lane again wait in the lone lane', async () => {
  const batch: CallBatch = { ...someCalls(1), wasLone: true };
  await add('slow', batch, 1);
  const marked: unknown[] = [];
  consume({ run: async (some, lane) => void marked.push([lane, some.wasLone]) });
  await eventually(() => marked.length === 1);
  expect(marked).toEqual([['lone', true]]);
});

it('leaves to the lone lane only what has no outcome, of an interrupted job of the slow lane too', async () => {
  const batch = someCalls(1);
  await add('slow', batch, 1);
  consume({ findUnrecorded: async () => [] });
  await eventually(async () => (await redis.exists(keyOf('slow', batch.id))) === 0);
  expect([seen.ran, seen.givenUp]).toEqual([[], []]);
  expect(await redis.exists(keyOf('lone', batch.calls[0]?.id ?? ''))).toBe(0);
});

it('carries on what the batch says with each call that goes on alone', async () => {
  const batch = someCalls(2);
  const carried: CallBatch[] = [];
  await add('shared', batch, 1);
  consume({ run: async (some, lane) => void (lane === 'lone' && carried.push(structuredClone(some))) });
  await eventually(() => carried.length === 2);
  for (const { calls, ...rest } of carried) {
    expect(rest).toEqual({ ...batch, calls: undefined });
    expect(calls).toHaveLength(1);
  }
  expect(carried.map(({ calls }) => calls[0]?.id).sort()).toEqual(idsOf(batch).sort());
});

it('leaves jobs of another wire version alone, also when they fail', async () => {
  const batch = { ...someCalls(1), v: WIRE_VERSION + 1 };
  consume();
  await add('shared', batch);
  await eventually(async () => (await redis.exists(keyOf('shared', batch.id))) === 0);
  expect([seen.ran, seen.givenUp]).toEqual([[], []]);
});

it('runs jobs of the shared lane side by side, and those of the lone lane one after the other', async () => {
  const gate = aGate();
  const running = { shared: 0, lone: 0, slow: 0 };
  consume({
    run: async (_, lane) => {
      running[lane] += 1;
      await gate.opened;
      running[lane] -= 1;
    },
  });
  for (let n = 0; n < 36; n += 1) await add('shared', someCalls(1));
  for (let n = 0; n < 3; n += 1) await add('lone', someCalls(1));
  await eventually(() => running.shared === 32 && running.lone === 1);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(running).toEqual({ shared: 32, lone: 1, slow: 0 });
  gate.open();
  await eventually(async () => (await redis.keys(`${queuePrefix(0)}:*:call_*`)).length === 0);
});

it('waits for what runs when it is closed, and hands nothing back that ends in time', async () => {
  const gate = aGate();
  const batch = someCalls(1);
  const consumer = consume({
    run: async (some, lane) => {
      seen.ran.push({ lane, calls: idsOf(some) });
      await gate.opened;
    },
  });
  await add('lone', batch);
  await eventually(() => seen.ran.length === 1);
  const closed = consumer.close(60_000);
  gate.open();
  await closed;
  expect(await redis.exists(keyOf('lone', batch.id))).toBe(0);
});

it('counts how often a job was handed back, of every job that runs', async () => {
  const batches = [{ ...someCalls(1), handedBack: 1 }, someCalls(2)];
  const [lone, shared] = batches as [CallBatch, CallBatch];
  let started = 0;
  const consumer = consume({
    run: () => {
      started += 1;
      return new Promise(() => undefined);
    },
  });
  await add('lone', lone);
  await add('shared', shared);
  await eventually(() => started === 2);
  await consumer.close(50);
  const handedBack = async (lane: Lane, id: string) =>
    JSON.parse((await redis.hget(keyOf(lane, id), 'data')) ?? '{}');
  expect(await handedBack('lone', lone.id)).toEqual({ ...lone, handedBack: 2 });
  expect(await handedBack('shared', shared.id)).toEqual({ ...shared, handedBack: 1 });
});

it('hands back what it can, although a job has ended meanwhile', async () => {
  const batches = Array.from({ length: 4 }, () => someCalls(1));
  let started = 0;
  const consumer = consume({
    run: () => {
      started += 1;
      return new Promise(() => undefined);
    },
  });
  for (const batch of batches) await add('slow', batch);
  await eventually(() => started === 4);
  await redis.del(keyOf('slow', batches[0]?.id ?? ''));
  await consumer.close(50);
  for (const { id } of batches.slice(1))
    expect(JSON.parse((await redis.hget(keyOf('slow', id), 'data')) ?? '{}')).toMatchObject({
      handedBack: 1,
    });
});
