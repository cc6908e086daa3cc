import { DelayedError, ErrorCode, Job, type MinimalQueue } from 'bullmq';
import type { Tenants } from '../../directory/tenants.ts';
import { LaneShares } from '../lane-shares.ts';
import { PUT_OFF_MAX_MS } from '../queues.ts';

// A permit given back in this process wakes a waiting job. The retries are for permits given back in other processes.
const AGAIN_MS = 250;

/** Runs the jobs of a queue, sharing permits among tenants. A job without a permit is delayed, and others go first. */
export class SharedLane {
  private readonly shares: LaneShares<string>;
  private readonly tenants: Tenants;
  private readonly queue: MinimalQueue;
  private readonly againPerWaitingMs: number;

  /** The more jobs wait here, the later one without a permit is retried: `againPerWaitingMs` for each, 15 seconds at most. */
  constructor(options: {
    permits: number;
    tenants: Tenants;
    queue: MinimalQueue;
    againPerWaitingMs?: number;
  }) {
    this.shares = new LaneShares(options.permits);
    this.tenants = options.tenants;
    this.queue = options.queue;
    this.againPerWaitingMs = options.againPerWaitingMs ?? 0;
  }

  /** How many jobs to take from the queue at once. */
  get concurrency(): number {
    return this.shares.concurrency;
  }

  /** Runs a workspace's job with a permit; throws BullMQ's `DelayedError` if the job was delayed. */
  async run<T>(job: Job, token: string | undefined, workspaceId: string, act: () => Promise<T>): Promise<T> {
    const tenant = await this.tenants.find(workspaceId);
    const id = job.id as string;
    if (!this.shares.take(tenant, id, id)) {
      const wasWaiting = this.shares.isWaiting(workspaceId, id);
      if (await putBack(job, token, this.shares.waiting * this.againPerWaitingMs)) {
        // Woken while it was put back, when it could not be promoted yet.
        if (wasWaiting && !this.shares.isWaiting(workspaceId, id)) void this.promote([id]);
        throw new DelayedError();
      }
      // A job that cannot be delayed runs without a permit, so that it is not lost.
      this.shares.forget(workspaceId, id);
      return act();
    }
    try {
      return await act();
    } finally {
      void this.promote(this.shares.giveBack(tenant));
    }
  }

  /** Changes how many permits there are. Jobs that run go on; waiting ones go on at once if there are more. */
  resize(permits: number): void {
    void this.promote(this.shares.resize(permits));
  }

  // In place of a job that no longer waits, another is promoted: else the permit would stay unused until one is retried.
  private async promote(ids: string[]): Promise<void> {
    let promoted = 0;
    for (let id = ids.shift(); id !== undefined; id = ids.shift()) {
      if (await this.isPromoted(id)) promoted += 1;
      else ids.push(...this.shares.wakeAnother(promoted + ids.length));
    }
  }

  // False if the job is not delayed: another process has taken it, or it was removed.
  private isPromoted(id: string): Promise<boolean> {
    return new Job(this.queue, '', {}, {}, id).promote().then(
      () => true,
      (error: { code?: number }) => error.code !== ErrorCode.JobNotInState,
    );
  }
}

/** How often a job was delayed for lack of a permit. */
export function timesPutBack(job: Job): number {
  return typeof job.progress === 'number' ? job.progress : 0;
}

async function putBack(job: Job, token: string | undefined, leastMs: number): Promise<boolean> {
  const times = timesPutBack(job);
  const most = Math.min(Math.max(AGAIN_MS * 2 ** times, leastMs), PUT_OFF_MAX_MS);
  const wait = most * (0.5 + Math.random() / 2);
  try {
    await job.updateProgress(times + 1);
    await job.moveToDelayed(Math.ceil(Date.now() + wait), token);
    return true;
  } catch {
    return false;
  }
}
