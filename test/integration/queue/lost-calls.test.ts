import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { openLogger } from '../../../src/logger.ts';
import { type Lane, openQueue } from '../../../src/queue/queues.ts';
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

/** Has it look once, and waits until it has. */
async function look(): Promise<void> {
  const exists = vi.spyOn(redis, 'exists');
  vi.advanceTimersByTime(LOOK_MS);
  // Each look asks for the jobs of batches, and then for those of calls.
  for (let round = 0; round < 3; round += 1) {
    await Promise.allSettled(exists.mock.results.map(({ value }) => value));
    await new Promise((resolve) => setImmediate(resolve));
  }
  exists.mockRestore();
}

/** Adds a job to a lane, under the id of a batch or of a call. */
async function addJob(lane: Lane, jobId: string): Promise<void> {
  const queue = openQueue(lane, redis, 0, WIRE_VERSION);
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

it('takes none for lost that was answered between two looks', async () => {
  waiting.push(aPendingCall({ batch: aSentBatch(LONG_AGO_MS) }));
  await look();
  waiting.length = 0;
  await look();
  expect(lost).toEqual([]);
});

it('takes none for lost that has a job of its own, moved to the slow lane or alone after an interruption', async () => {
  const batch = aSentBatch(LONG_AGO_MS);
  const [moved, alone, gone] = [1, 2, 3].map(() => aPendingCall({ batch })) as [
    PendingCall,
    PendingCall,
    PendingCall,
  ];
  waiting.push(moved, alone, gone);
  await addJob('slow', moved.call.id);
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
