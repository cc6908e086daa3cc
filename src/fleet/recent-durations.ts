const LEAST_MS = 0.5;
const GROWTH = 1.25;
const LOG_GROWTH = Math.log(GROWTH);
const BUCKETS = 64;
// The part of the counts that is kept after a second (exponential decay): they cover about three seconds.
const KEPT = 0.7;

/** The durations of recent calls, as a histogram: each bucket is a quarter wider than the one before. */
export class RecentDurations {
  private readonly counts = new Float64Array(BUCKETS);

  observe(ms: number): void {
    const bucket = Math.ceil(Math.log(ms / LEAST_MS) / LOG_GROWTH);
    const at = Math.min(BUCKETS - 1, Math.max(0, bucket));
    this.counts[at] = (this.counts[at] as number) + 1;
  }

  /** The counts without the empty buckets at the end. Call it once a second. */
  take(): number[] {
    const counts = [...this.counts].map((count) => Math.round(count * 100) / 100);
    for (let i = 0; i < BUCKETS; i += 1) this.counts[i] = (this.counts[i] as number) * KEPT;
    return counts.slice(0, counts.findLastIndex((count) => count > 0) + 1);
  }
}

/** A quantile of the durations, over all processes, within an eighth; null if there were no calls. */
export function quantileMs(lists: readonly (readonly number[])[], share: number): number | null {
  const counts = Array.from({ length: BUCKETS }, (_, i) =>
    lists.reduce((sum, one) => sum + (one[i] ?? 0), 0),
  );
  let left = share * counts.reduce((sum, count) => sum + count, 0);
  if (left <= 0) return null;
  const bucket = counts.findIndex((count) => {
    left -= count;
    return left <= 1e-9;
  });
  return Math.round(LEAST_MS * GROWTH ** (bucket - 0.5) * 100) / 100;
}
