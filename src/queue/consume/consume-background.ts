import { DelayedError, type Job, Worker } from 'bullmq';
import type { CallPlace } from '../../async-calls/attempt-call.ts';
import type { Tenants } from '../../directory/tenants.ts';
import type { Logger } from '../../logger.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { queuePrefix } from '../../redis/keys.ts';
import {
  BACKGROUND_QUEUE,
  BACKGROUND_SHARD,
  type BackgroundJob,
  openBackgroundQueue,
} from '../background-queue.ts';
import { SERVED_VERSIONS } from '../wire.ts';
import { WORKER_OPTIONS } from './consume-shard.ts';
import { SharedLane } from './shared-lane.ts';

// A call that nobody waits for can wait this much longer for a worker of its release.
const HAND_ON_MS = 500;

/**
 * Takes the jobs of calls that nobody waits for and hands them to `run`, `concurrency` at a time, shared out among tenants; when it
 * gives a number of ms, the job comes again after that.
 */
export function consumeBackground(options: {
  connection: RedisConnection;
  concurrency: number;
  tenants: Tenants;
  run(place: CallPlace): Promise<number | null>;
  log: Logger;
}): { close(graceMs: number): Promise<void> } {
  const { connection, concurrency, run, tenants, log } = options;
  const queue = openBackgroundQueue(connection);
  const lane = new SharedLane({ permits: concurrency, tenants, queue });
  const process = async (job: Job<BackgroundJob>, token?: string) => {
    const { v, ...place } = job.data;
    const againMs = SERVED_VERSIONS.includes(v)
      ? await lane.run(job, token, place.workspaceId, () => run(place))
      : HAND_ON_MS;
    if (againMs === null) return;
    await job.moveToDelayed(Math.ceil(Date.now() + againMs), token);
    throw new DelayedError();
  };
  const worker = new Worker<BackgroundJob, void>(BACKGROUND_QUEUE, process, {
    ...WORKER_OPTIONS,
    prefix: queuePrefix(BACKGROUND_SHARD),
    connection,
    concurrency: lane.concurrency,
  });
  worker.on('error', (error) => log.warn({ lane: 'background', err: error }, 'queue worker error'));
  worker.on('failed', (job, err) => {
    // The sweeper adds a new job for the call.
    log.warn({ lane: 'background', callId: job?.data.callId, err }, 'an attempt at a call was given up');
  });
  return {
    async close(graceMs) {
      const late = new Promise((resolve) => setTimeout(resolve, graceMs).unref());
      await Promise.race([worker.close(), late]);
      await queue.close();
    },
  };
}
