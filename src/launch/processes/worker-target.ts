import type { WorkerCounts } from './process-counts.ts';

// `desiredWorkers` itself falls late. This is so that a load that comes and goes within a minute starts nothing anew.
const HOLD_MS = 30_000;

// If two machines each stopped a worker for the same surplus, both would start one again. So each waits a random time.
const HOLD_LONGER_TIMES = 2;

/** Makes the number of workers follow the wanted number: up at once, down late and one by one. */
export class WorkerTarget {
  private readonly counts: WorkerCounts;
  private readonly random: () => number;
  private neededAt = Number.NEGATIVE_INFINITY;
  private drawn = 0;

  constructor(counts: WorkerCounts, random = Math.random) {
    this.counts = counts;
    this.random = random;
  }

  /** How many workers to run at `now`, in ms, where there are `running` and `wanted` are asked for; `others` run elsewhere. */
  next(wanted: number, running: number, now: number, others = 0): number {
    const target = Math.min(this.counts.most, Math.max(this.counts.least, wanted));
    const holdMs = HOLD_MS * (others === 0 ? 1 : 1 + HOLD_LONGER_TIMES * this.drawn);
    const isCalm = target < running && now - this.neededAt >= holdMs;
    if (target >= running || isCalm) {
      this.neededAt = now;
      this.drawn = this.random();
    }
    return isCalm ? running - 1 : Math.max(target, running);
  }
}
