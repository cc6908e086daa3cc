import { DelayedError, type Job, Worker } from 'bullmq';
import type { CallRef } from '../../async-calls/attempt-call.ts';
import type { Tenants } from '../../directory/tenants.ts';
import type { Logger } from '../../logger.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { queuePrefix } from '../../redis/keys.ts';
import { ASYNC_QUEUE, ASYNC_SHARD, type AsyncJob, openAsyncQueue } from '../async-queue.ts';
import { logErrors } from '../log-errors.ts';
import { SERVED_VERSIONS } from '../wire.ts';
import { WORKER_OPTIONS } from './consume-shard.ts';
import { SharedLane } from './shared-lane.ts';

// A job of a wire version that this worker does not serve is delayed by this much, for a worker that does.
const HAND_ON_MS = 500;

// The calls of many workspaces may be due at once. To look again and again at thousands of jobs without a permit would keep Redis busy, and
// all who wait for it. They are woken in turn anyway.
const AGAIN_PER_WAITING_MS = 10;

/** What takes the jobs of async calls. */
export interface AsyncConsumer {
  /** Changes how many run at a time. Those that run go on. */
  resize(concurrency: number): void;
  /** Takes no more, and waits for those that run, at most `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/**
 * Takes the jobs of async calls and hands them to `run`, `concurrency` at a time, shared fairly among tenants. If `run` returns a number of
 * ms, the job runs again after that time.
 */
export function consumeAsync(options: {
  connection: RedisConnection;
  concurrency: number;
  tenants: Tenants;
  run(ref: CallRef): Promise<number | null>;
  log: Logger;
}): AsyncConsumer {
  const { connection, concurrency, run, tenants, log } = options;
  const queue = openAsyncQueue(connection);
  const lane = new SharedLane({
    permits: concurrency,
    tenants,
    queue,
    againPerWaitingMs: AGAIN_PER_WAITING_MS,
  });
  const process = async (job: Job<AsyncJob>, token?: string) => {
    const { v, ...ref } = job.data;
    const againMs = SERVED_VERSIONS.includes(v)
      ? await lane.run(job, token, ref.workspaceId, () => run(ref))
      : HAND_ON_MS;
    if (againMs === null) return;
    await job.moveToDelayed(Math.ceil(Date.now() + againMs), token);
    throw new DelayedError();
  };
  const worker = new Worker<AsyncJob, void>(ASYNC_QUEUE, process, {
    ...WORKER_OPTIONS,
    prefix: queuePrefix(ASYNC_SHARD),
    connection,
    concurrency: lane.concurrency,
  });
  logErrors(worker, log, { lane: 'background' }, 'queue worker error');
  worker.on('failed', (job, err) => {
    // The sweeper adds a new job for the call.
    log.warn({ lane: 'background', callId: job?.data.callId, err }, 'an attempt at a call was given up');
  });
  return {
    resize(permits) {
      lane.resize(permits);
      worker.concurrency = lane.concurrency;
    },
    async close(graceMs) {
      const late = new Promise((resolve) => setTimeout(resolve, graceMs).unref());
      await Promise.race([worker.close(), late]);
      await queue.close();
    },
  };
}
