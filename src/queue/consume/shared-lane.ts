import { DelayedError, Job, type MinimalQueue } from 'bullmq';
import type { Tenants } from '../../directory/tenants.ts';
import { LaneShares } from '../lane-shares.ts';

// A permit that this process gives back wakes a job that waits; these are for what other processes give back.
const AGAIN_MS = 250;
const AGAIN_MAX_MS = 15_000;

/** Runs the jobs of a queue by the shares of their tenants: one without a permit is put back, and others go first. */
export class SharedLane {
  private readonly shares: LaneShares<string>;
  private readonly tenants: Tenants;
  private readonly queue: MinimalQueue;

  constructor(options: { permits: number; tenants: Tenants; queue: MinimalQueue }) {
    this.shares = new LaneShares(options.permits);
    this.tenants = options.tenants;
    this.queue = options.queue;
  }

  /** How many jobs to take from the queue at once. */
  get concurrency(): number {
    return this.shares.concurrency;
  }

  /** Runs a workspace's job with a permit; throws BullMQ's `DelayedError` for one that was put back. */
  async run<T>(job: Job, token: string | undefined, workspaceId: string, act: () => Promise<T>): Promise<T> {
    const tenant = await this.tenants.find(workspaceId);
    const id = job.id as string;
    if (!this.shares.take(tenant, id, id)) {
      if (await putBack(job, token)) throw new DelayedError();
      // One that cannot be put back is not lost.
      return act();
    }
    try {
      return await act();
    } finally {
      for (const next of this.shares.leave(tenant)) {
        // A job that another process has taken is not there to be woken.
        new Job(this.queue, '', {}, {}, next).promote().catch(() => undefined);
      }
    }
  }
}

/** How often a job was put back for want of a permit. */
export function timesPutBack(job: Job): number {
  return typeof job.progress === 'number' ? job.progress : 0;
}

async function putBack(job: Job, token: string | undefined): Promise<boolean> {
  const times = timesPutBack(job);
  const wait = Math.min(AGAIN_MS * 2 ** times, AGAIN_MAX_MS) * (0.5 + Math.random() / 2);
  try {
    await job.updateProgress(times + 1);
    await job.moveToDelayed(Math.ceil(Date.now() + wait), token);
    return true;
  } catch {
    return false;
  }
}
