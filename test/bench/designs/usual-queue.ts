import type { JobsOptions, QueueOptions } from 'bullmq';
import type { WireCall } from '../../../src/queue/wire.ts';

/** What a job of the usual design carries and returns: one call, and its reply as a frame. */
export interface UsualJob {
  call: WireCall;
}

export const USUAL_QUEUE = 'usual-calls';

export const USUAL_PREFIX = 'usual';

/**
 * A finished job is kept until nobody can still ask for it: with `removeOnComplete: true` the poll inside
 * `waitUntilFinished` finds no job, and 1 to 19 of 100 calls fail that have succeeded.
 */
export const USUAL_JOB_OPTIONS: JobsOptions = {
  removeOnComplete: { count: 5_000 },
  removeOnFail: { count: 1_000 },
};

/**
 * With the default of 10,000 events a reader that is held up for a third of a second at full speed loses answers for good.
 */
export const USUAL_STREAMS: NonNullable<QueueOptions['streams']> = {
  events: { maxLen: 100_000 },
};
