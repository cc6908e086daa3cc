import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { openLogger } from '../../../src/logger.ts';
import { type Lane, openQueue, returnedJobId } from '../../../src/queue/queues.ts';
import { LostCalls } from '../../../src/queue/submit/lost-calls.ts';
import type { PendingCall } from '../../../src/queue/submit/pending-call.ts';
import { WIRE_VERSION } from '../../../src/queue/wire.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { aCallBatch, aPendingCall, aSentBatch } from '../../support/queue/pending-calls.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const log = openLogger({ LOG_LEVEL: 'silent' }, 'test');
const LOOK_MS = 2_000;
const LONG_AGO_MS = 10_000;

let server: TestRedis;
let redis: RedisConnection;
let waiting: PendingCall[];
let lost: PendingCall[];
let lostCalls: LostCalls;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'submit', () => undefined);
  await untilReady(redis);
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

beforeEach(() => {
  [waiting, lost] = [[], []];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  lostCalls = new LostCalls(redis, log, {
    values: () => waiting,
    end: async (pending) => void lost.push(pending),
  });
  lostCalls.start();
});

afterEach(() => {
  lostCalls.stop();
  vi.useRealTimers();
});

/** Has it look once, and waits until it has. `meanwhile` is called while it looks. */
async function look(meanwhile: () => void = () => undefined): Promise<void> {
  const exists = vi.spyOn(redis, 'exists');
  vi.advanceTimersByTime(LOOK_MS);
  meanwhile();
  // Each look asks for the jobs of batches, and then for those of calls.
  for (let round = 0; round < 3; round += 1) {
    await Promise.allSettled(exists.mock.results.map(({ value }) => value));
    await new Promise((resolve) => setImmediate(resolve));
  }
  exists.mockRestore();
}

/** Adds a job to a lane, under the id of a batch or of a call. */
async function addJob(lane: Lane, jobId: string, shard = 0): Promise<void> {
  const queue = openQueue(lane, redis, shard, WIRE_VERSION);
  await queue.add('calls', aCallBatch(WIRE_VERSION, []), { jobId });
  await queue.close();
}

it.each(['shared', 'slow'] as const)(
  'finds calls of the %s lane whose job is gone, at the second look',
  async (lane) => {
    const [gone, queued] = [1, 2].map(() => aPendingCall({ lane, batch: aSentBatch(LONG_AGO_MS) }));
    waiting.push(gone as PendingCall, queued as PendingCall);
    await addJob(lane, queued?.batch?.id ?? '');
    await look();
    expect(lost).toEqual([]);
    await look();
    expect(lost).toEqual([gone]);
  },
);

it('finds a call that is gone behind thousands that wait long', async () => {
  const batch = aSentBatch(LONG_AGO_MS);
  await addJob('shared', batch.id);
  for (let number = 1; number <= 2_500; number += 1) {
    const pending = aPendingCall({ batch });
    pending.call.number = number;
    waiting.push(pending);
  }
  const gone = aPendingCall({ batch: aSentBatch(LONG_AGO_MS) });
  gone.call.number = 2_501;
  waiting.push(gone);
  for (let looks = 1; looks <= 4; looks += 1) await look();
  expect(lost).toEqual([gone]);
});

it('finds a call that is gone behind a thousand others, of which one is answered during each look', async () => {
  const batch = aSentBatch(LONG_AGO_MS);
  await addJob('shared', batch.id);
  const gone = aPendingCall({ batch: aSentBatch(LONG_AGO_MS) });
  const others = Array.from({ length: 999 }, () => aPendingCall({ batch }));
  for (const [index, { call }] of [...others, gone].entries()) call.number = 2 + index;
  for (let looks = 1; looks <= 4; looks += 1) {
    const answered = aPendingCall({ batch: aSentBatch(LONG_AGO_MS) });
    waiting = [answered, ...others, gone];
    await look(() => {
      answered.state = 'ended';
    });
  }
  expect(lost).toContain(gone);
});

it('takes none for lost that was answered between two looks', async () => {
  waiting.push(aPendingCall({ batch: aSentBatch(LONG_AGO_MS) }));
  await look();
  waiting.length = 0;
  await look();
  expect(lost).toEqual([]);
});

it('takes none for lost that has a job of its own, moved to the slow lane or alone after an interruption', async () => {
  const batch = aSentBatch(LONG_AGO_MS);
  const [moved, returned, alone, gone] = [1, 2, 3, 4].map(() => aPendingCall({ batch })) as [
    PendingCall,
    PendingCall,
    PendingCall,
    PendingCall,
  ];
  waiting.push(moved, returned, alone, gone);
  await addJob('slow', moved.call.id);
  await addJob('slow', returnedJobId(returned.call.id));
  await addJob('lone', alone.call.id);
  await look();
  await look();
  expect(lost).toEqual([gone]);
});

it('does not look for calls that were sent lately, or not at all', async () => {
  waiting.push(aPendingCall({ batch: aSentBatch() }), aPendingCall());
  await look();
  await look();
  expect(lost).toEqual([]);
});

it('looks on the queues of the shard that carries a call', async () => {
  const [here, elsewhere] = [1, 2].map(() => aPendingCall({ shard: 1, batch: aSentBatch(LONG_AGO_MS) })) as [
    PendingCall,
    PendingCall,
  ];
  waiting.push(here, elsewhere);
  await addJob('shared', here.batch?.id ?? '', 1);
  await addJob('shared', elsewhere.batch?.id ?? '', 0);
  await look();
  await look();
  expect(lost).toEqual([elsewhere]);
});

it('looks for the job of a call of the slow lane where that is, under its own id where it is alone', async () => {
  const [there, elsewhere, alone] = [1, 2, 3].map(() =>
    aPendingCall({ lane: 'slow', batch: aSentBatch(LONG_AGO_MS) }),
  ) as [PendingCall, PendingCall, PendingCall];
  waiting.push(there, elsewhere, alone);
  await addJob('slow', there.batch?.id ?? '');
  await addJob('shared', elsewhere.batch?.id ?? '');
  await addJob('lone', alone.call.id);
  await look();
  await look();
  expect(lost).toEqual([elsewhere]);
});

it('begins to look once a call was sent three seconds ago', async () => {
  const [sooner, later] = [2_000, 3_500].map((ms) => aPendingCall({ batch: aSentBatch(ms) })) as [
    PendingCall,
    PendingCall,
  ];
  // The clock of the batch is not turned.
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  waiting.push(sooner, later);
  await look();
  await look();
  now.mockRestore();
  expect(lost).toEqual([later]);
});

it('looks for a thousand calls at once, the oldest, and then for others', async () => {
  const batch = aSentBatch(LONG_AGO_MS);
  waiting.push(...Array.from({ length: 1_200 }, () => aPendingCall({ batch })));
  await look();
  await look();
  expect(lost).toEqual(waiting.slice(0, 1_000));
});

it('takes none for lost by two looks between which Redis could not be asked', async () => {
  const pending = aPendingCall({ batch: aSentBatch(LONG_AGO_MS) });
  waiting.push(pending);
  await look();
  const exists = vi.spyOn(redis, 'exists').mockRejectedValueOnce(new Error('away'));
  vi.advanceTimersByTime(LOOK_MS);
  expect(exists).toHaveBeenCalledOnce();
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  exists.mockRestore();
  await look();
  expect(lost).toEqual([]);
  await look();
  expect(lost).toEqual([pending]);
});

it('counts and ends a lost call once, however long its end takes', async () => {
  const gone = aPendingCall({ batch: aSentBatch(LONG_AGO_MS) });
  waiting.push(gone);
  for (let looks = 1; looks <= 6; looks += 1) await look();
  expect(lost).toEqual([gone]);
  expect(lostCalls.count).toBe(1);
});
