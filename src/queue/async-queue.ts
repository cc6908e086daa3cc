import { Queue } from 'bullmq';
import type { CallRef } from '../async-calls/attempt-call.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { queuePrefix } from '../redis/keys.ts';
import { JOB_OPTIONS } from './queues.ts';
import { WIRE_VERSION } from './wire.ts';

/** The queue of async calls; apart from the others, so that however many they are nobody waits for them. */
export const ASYNC_QUEUE = 'calls-background';

/** It has few jobs at a time, and so needs no further shards. */
export const ASYNC_SHARD = 0;

/** What a job of it carries: which call is meant. All else lies in the workspace's own slot. */
export interface AsyncJob extends CallRef {
  v: number;
}

/** Adds jobs for recorded calls; once more for the same call does no harm. */
export class AsyncQueue {
  private readonly queue: Queue<AsyncJob, void, 'call'>;

  constructor(connection: RedisConnection) {
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

  async close(): Promise<void> {
    await this.queue.close();
  }
}

/** Opens the queue itself, to be closed. */
export function openAsyncQueue(connection: RedisConnection): Queue<AsyncJob, void, 'call'> {
  const queue = new Queue<AsyncJob, void, 'call'>(ASYNC_QUEUE, {
    connection,
    prefix: queuePrefix(ASYNC_SHARD),
    streams: { events: { maxLen: 100 } },
  });
  // The owner of the connection hears of its failures.
  queue.on('error', () => undefined);
  return queue;
}
