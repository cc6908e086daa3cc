import type { WorkerCounts } from './process-counts.ts';

// `desiredWorkers` itself falls late. This is so that a load that comes and goes within a minute starts nothing anew.
const HOLD_MS = 30_000;

/** How the number of workers follows the one that is wanted: up at once, down one by one and late. */
export class WorkerTarget {
  private readonly counts: WorkerCounts;
  private neededAt = Number.NEGATIVE_INFINITY;

  constructor(counts: WorkerCounts) {
    this.counts = counts;
  }

  /** How many workers to run at `now`, in ms, where there are `running` and `wanted` are asked for. */
  next(wanted: number, running: number, now: number): number {
    const target = Math.min(this.counts.most, Math.max(this.counts.least, wanted));
    const isCalm = target < running && now - this.neededAt >= HOLD_MS;
    if (target >= running || isCalm) this.neededAt = now;
    return isCalm ? running - 1 : Math.max(target, running);
  }
}
