import { type JobsOptions, Queue } from 'bullmq';
import type { RedisConnection } from '../redis/connections.ts';
import { queuePrefix } from '../redis/keys.ts';
import type { CallBatch } from './wire.ts';

/**
 * The queues calls travel through:
 * - `shared`: batches of calls that await nothing but Redis
 * - `slow`: one call a job, for what may take long
 * - `lone`: calls whose batch was interrupted, one at a time, so that one that kills its worker takes no other along
 */
export const LANES = ['shared', 'slow', 'lone'] as const;

/** How many calls of the slow lane a worker runs at once. They only wait, so that even the part that one workspace may have is plenty. */
export const SLOW_PERMITS = 96;

export type Lane = (typeof LANES)[number];

export type LaneQueue = Queue<CallBatch, void, 'calls'>;

/** Replies and ledger hold what matters of a job, so nothing of it stays once it has run. */
export const JOB_OPTIONS: JobsOptions = {
  removeOnComplete: true,
  removeOnFail: true,
};

/** The name of a lane's queue for jobs of a wire version; those of the first go by the lane alone. */
export function queueName(lane: Lane, version: number): string {
  return version === 1 ? `calls-${lane}` : `calls-${version}-${lane}`;
}

/** Opens the queue of a shard's lane for adding jobs of a wire version to it. */
export function openQueue(
  lane: Lane,
  connection: RedisConnection,
  shard: number,
  version: number,
): LaneQueue {
  const queue: LaneQueue = new Queue(queueName(lane, version), {
    connection,
    prefix: queuePrefix(shard),
    // Nobody reads BullMQ's own events; replies travel on their own streams.
    streams: { events: { maxLen: 100 } },
  });
  // The owner of the connection hears of its failures; unheard here, BullMQ would print them a second time.
  queue.on('error', () => undefined);
  return queue;
}
