import { type JobsOptions, Queue } from 'bullmq';
import type { RedisConnection } from '../redis/connections.ts';
import { queuePrefix } from '../redis/keys.ts';
import type { CallBatch } from './wire.ts';

/**
 * The queues that carry calls:
 * - `shared`: batches of calls that await only Redis
 * - `slow`: jobs of one call that may take long
 * - `lone`: calls whose batch was interrupted, run one at a time, so that a call that kills its worker takes no other with it
 */
export const LANES = ['shared', 'slow', 'lone'] as const;

/** How many calls of the slow lane a worker runs at once. Most of their time they wait, so even one workspace's share of this is plenty. */
export const SLOW_PERMITS = 96;

export type Lane = (typeof LANES)[number];

export type LaneQueue = Queue<CallBatch, void, 'calls'>;

/** For how long a job is put off at most for lack of a permit. */
export const PUT_OFF_MAX_MS = 15_000;

/** For how long the job of an async call is put off at most, for lack of a slot or of a process of its own. */
export const ASYNC_POLL_MAX_MS = 120_000;

/**
 * What all queues have in common. Nobody reads BullMQ's own events. Redis' version is checked at the start of a process; a queue whose own
 * check fails, because Redis is away just then, would never work again.
 */
export const QUEUE_OPTIONS = { streams: { events: { maxLen: 100 } }, skipVersionCheck: true };

/** Jobs are removed once they have run: all that matters is in the replies and the ledger. */
export const JOB_OPTIONS: JobsOptions = {
  removeOnComplete: true,
  removeOnFail: true,
};

/**
 * The id of a call's job in a lane where it has had another job before. It differs from the other one's id: while that job is there, BullMQ
 * would not add a second one with the same id.
 */
export function returnedJobId(callId: string): string {
  return `${callId}-returned`;
}

/** All ids that a job which carries only this call may have. */
export function ownJobIds(callId: string): string[] {
  return [callId, returnedJobId(callId)];
}

/** The name of a lane's queue for jobs of a wire version; version 1 has no number in it. */
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
    ...QUEUE_OPTIONS,
  });
  // The owner of the connection handles its failures. Without a listener here, BullMQ would print them again.
  queue.on('error', () => undefined);
  return queue;
}
