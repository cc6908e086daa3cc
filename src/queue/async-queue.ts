import { Queue } from 'bullmq';
import type { CallRef } from '../async-calls/attempt-call.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { queuePrefix } from '../redis/keys.ts';
import { JOB_OPTIONS } from './queues.ts';
import { WIRE_VERSION } from './wire.ts';

/** The queue of async calls. It is separate, so that sync calls never wait behind async ones. */
export const ASYNC_QUEUE = 'calls-background';

/** One shard is enough: the queue has few jobs at a time. */
export const ASYNC_SHARD = 0;

/** The data of a job: a reference to the call. The call itself lies in the workspace's cluster slot. */
export interface AsyncJob extends CallRef {
  v: number;
}

/** Adds jobs for recorded calls. Idempotent. */
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

/** Opens the queue; the caller closes it. */
export function openAsyncQueue(connection: RedisConnection): Queue<AsyncJob, void, 'call'> {
  const queue = new Queue<AsyncJob, void, 'call'>(ASYNC_QUEUE, {
    connection,
    prefix: queuePrefix(ASYNC_SHARD),
    streams: { events: { maxLen: 100 } },
  });
  // The owner of the connection handles its failures.
  queue.on('error', () => undefined);
  return queue;
}
