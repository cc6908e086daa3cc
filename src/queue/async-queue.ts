import { Job, Queue } from 'bullmq';
import type { CallRef } from '../async-calls/attempt-call.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { queuePrefix } from '../redis/keys.ts';
import { ASYNC_POLL_MAX_MS, JOB_OPTIONS, QUEUE_OPTIONS } from './queues.ts';
import { WIRE_VERSION } from './wire.ts';

/** The queue of async calls. It is separate, so that sync calls never wait behind async ones. */
export const ASYNC_QUEUE = 'calls-background';

/** One shard is enough: the queue has few jobs at a time. */
export const ASYNC_SHARD = 0;

// By how much clocks may differ that are not wrong.
const CLOCKS_DIFFER_MS = 5_000;

// BullMQ's scores of jobs that are put off have more digits than milliseconds.
const SCORES_PER_MS = 0x1000;

/** The data of a job: a reference to the call. The call itself lies in the workspace's cluster slot. */
export interface AsyncJob extends CallRef {
  v: number;
}

/** Adds jobs for recorded calls. Idempotent. */
export class AsyncQueue {
  private readonly queue: Queue<AsyncJob, void, 'call'>;
  private readonly connection: RedisConnection;

  constructor(connection: RedisConnection) {
    this.connection = connection;
    this.queue = openAsyncQueue(connection);
  }

  async add(refs: CallRef[]): Promise<void> {
    if (refs.length === 0) return;
    await this.queue.addBulk(
      refs.map((ref) => ({
        name: 'call' as const,
        data: { v: WIRE_VERSION, ...ref },
        opts: { ...JOB_OPTIONS, jobId: ref.callId },
      })),
    );
  }

  /**
   * Adds jobs again that may be lost. One that is put off for longer than workers ever do, as the clock of its worker was wrong, goes on at
   * once. `now` is Redis' time, in ms since the epoch.
   */
  async addAgain(refs: CallRef[], now: number): Promise<void> {
    if (refs.length === 0) return;
    await this.add(refs);
    const ids = refs.map(({ callId }) => callId);
    const scores = await this.connection.zmscore(
      `${queuePrefix(ASYNC_SHARD)}:${ASYNC_QUEUE}:delayed`,
      ...ids,
    );
    const latest = (now + ASYNC_POLL_MAX_MS + CLOCKS_DIFFER_MS) * SCORES_PER_MS;
    const stuck = ids.filter((_, i) => Number(scores[i] ?? 0) > latest);
    // It fails for one that has gone on meanwhile.
    await Promise.all(
      stuck.map((id) => new Job(this.queue, '', {}, {}, id).promote().catch(() => undefined)),
    );
  }

  async close(): Promise<void> {
    await this.queue.close();
  }
}

/** Opens the queue; the caller closes it. */
export function openAsyncQueue(connection: RedisConnection): Queue<AsyncJob, void, 'call'> {
  const queue = new Queue<AsyncJob, void, 'call'>(ASYNC_QUEUE, {
    connection,
    prefix: queuePrefix(ASYNC_SHARD),
    ...QUEUE_OPTIONS,
  });
  // The owner of the connection handles its failures.
  queue.on('error', () => undefined);
  return queue;
}
