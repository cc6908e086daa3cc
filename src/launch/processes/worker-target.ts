import type { WorkerCounts } from './process-counts.ts';

// `desiredWorkers` itself falls late. This is so that a load that comes and goes within a minute starts nothing anew.
const HOLD_MS = 30_000;

// Machines that gave up one each for the same surplus would start both again. So each takes a time of its own, drawn anew every time.
const HOLD_LONGER_TIMES = 2;

/** How the number of workers follows the one that is wanted: up at once, down one by one and late. */
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
