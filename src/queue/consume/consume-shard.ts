import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, Worker } from 'bullmq';
import type { Tenants } from '../../directory/tenants.ts';
import type { Logger } from '../../logger.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { queuePrefix } from '../../redis/keys.ts';
import { TransientMap } from '../../transient-map.ts';
import { logErrors } from '../log-errors.ts';
import {
  JOB_OPTIONS,
  LANES,
  type Lane,
  type LaneQueue,
  openQueue,
  queueName,
  returnedJobId,
  SLOW_PERMITS,
} from '../queues.ts';
import type { CallBatch, WireCall } from '../wire.ts';
import { SharedLane, timesPutBack } from './shared-lane.ts';

// If a process died twice while running only this call, the call is assumed to be the cause.
const LONE_STARTS_MAX = 2;

// A job that is not handed back within this time is taken over like a job of a dead worker.
const HAND_BACK_MS = 2_000;

// Jobs of the shared lane per worker: enough for all jobs that one process may have with calls that take long. A job behind them would wait
// for one of them to end, whichever tenant it belongs to.
const SHARED_JOBS = 32;
const LONE_JOBS = 1;

/**
 * The options of the workers of all queues. A worker renews the locks of its jobs every 0.3 s. The locks of a dead worker expire within
 * 1.8 s, and the next stalled check gives its jobs to another. The workers of a queue take turns to check: after 0.3 s, or after 0.6 s if
 * the worker that checked last has died. So a call that loses two workers in a row is answered within five seconds, and a pause of the
 * event loop of 1.4 s loses no job. A heartbeat would be no faster: it too must outlast such a pause.
 */
export const WORKER_OPTIONS = {
  lockDuration: 1_800,
  lockRenewTime: 300,
  // A stalled check finds only jobs that the check before has seen, too.
  stalledInterval: 300,
  // Never let BullMQ fail an interrupted job: it would not find out which call is to blame. The consumer counts interruptions itself.
  maxStalledCount: Number.MAX_SAFE_INTEGER,
  runRetryDelay: 500,
  drainDelay: 5,
};

/** Handles the calls that a worker takes from the queues. No handler may throw. */
export interface CallHandlers {
  /** Runs the calls of a batch and sends their replies; `moveToSlow` moves one to the slow lane. Idempotent. */
  run(batch: CallBatch, lane: Lane, moveToSlow: (call: WireCall) => Promise<void>): Promise<void>;
  /** Whether this worker has room for another job. While it has none, other workers take new jobs. */
  hasRoom(): boolean;
  /** Called for each job that was started before. */
  jobRestarted(lane: Lane, wasHandedBack: boolean): void;
  /** Returns the calls of an interrupted batch that have no recorded outcome; resends the replies of the others. */
  findUnrecorded(batch: CallBatch): Promise<WireCall[]>;
  /** Answers calls that will not be run: with the recorded reply, or else `outcome_unknown`. */
  giveUp(batch: CallBatch): Promise<void>;
}

export interface CallConsumer {
  /** Stops taking jobs and waits for running jobs for at most `graceMs`. */
  close(graceMs: number): Promise<void>;
}

interface RunningJob {
  job: Job<CallBatch>;
  token: string | undefined;
}

export interface ConsumerOptions {
  connection: RedisConnection;
  handlers: CallHandlers;
  /** Tells the tenants among which the slow lane's permits are shared. */
  tenants: Tenants;
  log: Logger;
}

/** Takes jobs of a wire version from all lanes of a shard and hands their calls to `handlers`. */
export function consumeShard(options: ConsumerOptions, shard: number, version: number): CallConsumer {
  const { handlers, log } = options;
  const lone = openQueue('lone', options.connection, shard, version);
  const slow = openQueue('slow', options.connection, shard, version);
  const slowLane = new SharedLane({ permits: SLOW_PERMITS, tenants: options.tenants, queue: slow });
  const running = new TransientMap<number, RunningJob>();
  let runs = 0;
  let sharedRuns = 0;
  // Of the shared lane, the concurrency of a worker that has no job yet.
  const concurrency = { shared: 1, lone: LONE_JOBS, slow: slowLane.concurrency };
  const workers = LANES.map((lane) =>
    openWorker(
      queueName(lane, version),
      { shard, lane, concurrency: concurrency[lane] },
      options,
      process(lane),
    ),
  );

  function process(lane: Lane): (job: Job<CallBatch>, token?: string) => Promise<void> {
    return async (job, token) => {
      // Keyed by a number, not the job's id: a job whose lock was lost may be taken again while it still runs.
      runs += 1;
      const run = runs;
      running.set(run, { job, token });
      if (lane === 'shared') sharedRuns += 1;
      try {
        const ended = runJob(job, token, lane);
        if (lane === 'shared') adaptConcurrency();
        await ended;
        // BullMQ keeps finished jobs reachable until the next major garbage collection, and every minor one would copy their calls.
        job.data.calls = [];
      } finally {
        running.delete(run);
        if (lane === 'shared') {
          sharedRuns -= 1;
          adaptConcurrency();
        }
      }
    };
  }

  // BullMQ reads the concurrency when a job has started or ended, and fetches as many jobs as it allows before it starts the first of them.
  // So it allows one more than run, and whether there is room is decided again for each.
  function adaptConcurrency(): void {
    const worker = workers[LANES.indexOf('shared')] as Worker;
    worker.concurrency = handlers.hasRoom() ? Math.min(SHARED_JOBS, sharedRuns + 1) : 1;
  }

  async function runJob(job: Job<CallBatch>, token: string | undefined, lane: Lane): Promise<void> {
    const { data: batch, attemptsStarted } = job;
    if (batch.v !== version) throw new Error(`a job of wire version ${batch.v} is on a queue of another`);
    // The same shard: there the API process looks for the job.
    const moved: CallBatch = lane === 'lone' ? { ...batch, wasLone: true } : batch;
    const moveToSlow = (call: WireCall) => addAlone(slow, moved, [call]);
    const attempts = attemptsStarted - (lane === 'slow' ? timesPutBack(job) : 0);
    const run = () => handlers.run(batch, lane, moveToSlow);
    if (attempts > 1 && (await isInterrupted(job, lane, attempts))) return;
    if (lane !== 'slow') return run();
    // A job of the slow lane carries one call.
    return slowLane.run(job, token, batch.calls[0]?.workspaceId ?? '', run);
  }

  // True if the calls of an interrupted job were moved to another job, or given up.
  async function isInterrupted(job: Job<CallBatch>, lane: Lane, attempts: number): Promise<boolean> {
    const { data: batch } = job;
    // Interruptions by a shutdown say nothing about the calls.
    const starts = attempts - (batch.handedBack ?? 0);
    const found = { lane, jobId: job.id, starts, calls: batch.calls.length };
    for (const { trace } of batch.calls) if (trace) trace.attempt = (trace.attempt ?? 1) + attempts - 1;
    handlers.jobRestarted(lane, starts === 1);
    log.warn(found, starts === 1 ? 'job was handed back' : 'job was interrupted');
    if (lane === 'shared' || (lane === 'slow' && starts > 1 && starts <= LONE_STARTS_MAX)) await split(batch);
    else if (starts > LONE_STARTS_MAX) await handlers.giveUp(batch);
    else return false;
    return true;
  }

  async function handBack(): Promise<void> {
    // Each by itself: one may end meanwhile.
    const handed = [...running.values()].map(async ({ job, token }) => {
      if (token === undefined) return;
      await job.updateData({ ...job.data, handedBack: (job.data.handedBack ?? 0) + 1 });
      await job.moveToWait(token);
    });
    for (const result of await Promise.allSettled(handed))
      if (result.status === 'rejected') log.warn({ err: result.reason }, 'a job could not be handed back');
  }

  // One of the calls may have killed its worker: from now on each runs alone.
  async function split(batch: CallBatch): Promise<void> {
    await addAlone(lone, batch, await handlers.findUnrecorded(batch));
  }

  for (const [index, worker] of workers.entries()) {
    const lane = LANES[index];
    worker.on('failed', (job) => {
      if (!job || job.data.v !== version) return;
      handlers.giveUp(job.data).catch((err) => {
        log.error({ lane, jobId: job.id, err }, 'the calls of a failed job could not be answered');
      });
    });
  }

  return {
    async close(graceMs) {
      const closed = Promise.all(workers.map((worker) => worker.close()));
      const late = new Promise((resolve) => setTimeout(resolve, graceMs, 'late').unref());
      if ((await Promise.race([closed, late])) === 'late') {
        // A closing BullMQ worker cannot be interrupted: jobs that still run end with the process.
        log.warn({ jobs: running.size }, 'calls still run after the grace period; they are handed back');
        await Promise.race([handBack(), sleep(HAND_BACK_MS, undefined, { ref: false })]);
      }
      await Promise.all([lone.close(), slow.close()]);
    },
  };
}

// Adds each call as a job of its own, all in one command: the first may kill this process as soon as it is added.
async function addAlone(queue: LaneQueue, batch: CallBatch, calls: WireCall[]): Promise<void> {
  // BullMQ counts the starts of the new job from none.
  const { handedBack: _, ...rest } = batch;
  const jobs = calls.map((call) => ({
    name: 'calls' as const,
    data: { ...rest, calls: [call] },
    opts: { ...JOB_OPTIONS, jobId: batch.wasLone ? returnedJobId(call.id) : call.id },
  }));
  await queue.addBulk(jobs);
}

function openWorker(
  name: string,
  { shard, lane, concurrency }: { shard: number; lane: Lane; concurrency: number },
  { connection, log }: ConsumerOptions,
  processor: (job: Job<CallBatch>, token?: string) => Promise<void>,
): Worker<CallBatch, void> {
  const worker = new Worker<CallBatch, void>(name, processor, {
    ...WORKER_OPTIONS,
    prefix: queuePrefix(shard),
    connection,
    concurrency,
  });
  logErrors(worker, log, { lane, shard, queue: name }, 'queue worker error');
  return worker;
}
