import type { WorkerCounts } from './process-counts.ts';

// `desiredWorkers` itself falls late. With this hold in addition, a load that comes and goes within a minute starts no new workers.
const HOLD_MS = 30_000;

// If two machines each stopped a worker for the same surplus, both would start one again. So each waits a random time.
const HOLD_EXTRA_FACTOR = 2;

/** Makes the number of workers follow the wanted number: up at once, down late and one at a time. */
export class WorkerTarget {
  private readonly counts: WorkerCounts;
  private readonly random: () => number;
  private neededAt = Number.NEGATIVE_INFINITY;
  private drawn = 0;

  constructor(counts: WorkerCounts, random = Math.random) {
    this.counts = counts;
    this.random = random;
  }

  /** How many workers to run here at `now` (ms): `running` run now, `wanted` are wanted, `others` run on other machines. */
  next(wanted: number, running: number, now: number, others = 0): number {
    const target = Math.min(this.counts.max, Math.max(this.counts.min, wanted));
    const holdMs = HOLD_MS * (others === 0 ? 1 : 1 + HOLD_EXTRA_FACTOR * this.drawn);
    const isCalm = target < running && now - this.neededAt >= holdMs;
    if (target >= running || isCalm) {
      this.neededAt = now;
      this.drawn = this.random();
    }
    return isCalm ? running - 1 : Math.max(target, running);
  }
}
