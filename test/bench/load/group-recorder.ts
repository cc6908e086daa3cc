import type { GroupResult, TimelinePoint } from './load-plan.ts';
import { Samples } from './samples.ts';

const BUCKET_MS = 250;

interface Bucket {
  offered: number;
  succeeded: number;
  completed: number;
  refused: number;
  failed: number;
  times: Samples;
}

/** Counts what one group of connections sees between `begin` and `end`. */
export class GroupRecorder {
  private readonly withTimeline: boolean;
  private readonly times = new Samples();
  private readonly refusals = new Samples();
  private readonly failures: Record<string, number> = {};
  private readonly buckets: Bucket[] = [];
  private answered = 0;
  private due = 0;
  private settled = 0;
  private beganAt = Number.POSITIVE_INFINITY;
  private endedAt = Number.POSITIVE_INFINITY;
  /** Whether answers count by when they come (closed loop), or by when their call was due (open loop). */
  private readonly byArrival: boolean;

  constructor(options: { byArrival: boolean; withTimeline: boolean }) {
    this.byArrival = options.byArrival;
    this.withTimeline = options.withTimeline;
  }

  begin(now: number): void {
    this.beganAt = now;
  }

  end(now: number): void {
    this.endedAt = now;
  }

  /** Notes that a call became due. */
  offer(dueAt: number): void {
    if (!this.counts(dueAt)) return;
    this.due += 1;
    if (this.withTimeline) this.bucket(dueAt).offered += 1;
  }

  /** Notes an answer; status 0 stands for a broken connection. */
  record(status: number, dueAt: number, now: number): void {
    if (this.counts(dueAt)) this.settled += 1;
    if (!this.counts(this.byArrival ? now : dueAt)) return;
    const ms = now - dueAt;
    const bucket = this.withTimeline ? this.bucket(dueAt) : undefined;
    if (status === 200) {
      this.answered += 1;
      this.times.add(ms);
      if (bucket) bucket.succeeded += 1;
      if (this.withTimeline) this.bucket(now).completed += 1;
      bucket?.times.add(ms);
      return;
    }
    const name = status === 0 ? 'lost' : String(status);
    this.failures[name] = (this.failures[name] ?? 0) + 1;
    const refused = status === 503 || status === 429;
    if (refused) this.refusals.add(ms);
    if (bucket) bucket[refused ? 'refused' : 'failed'] += 1;
  }

  result(): GroupResult {
    const [p50Ms, p99Ms, maxMs] = this.times.quantiles(0.5, 0.99, 1);
    const [refusedP99Ms, refusedMaxMs] = this.refusals.quantiles(0.99, 1);
    return {
      answered: this.answered,
      failures: this.failures,
      p50Ms,
      p99Ms,
      maxMs,
      refusedP99Ms,
      refusedMaxMs,
      unanswered: this.byArrival ? 0 : this.due - this.settled,
      timeline: this.buckets.map(toPoint),
    };
  }

  private counts(at: number): boolean {
    return at >= this.beganAt && at < this.endedAt;
  }

  private bucket(at: number): Bucket {
    const index = Math.max(0, Math.floor((at - this.beganAt) / BUCKET_MS));
    while (this.buckets.length <= index) {
      this.buckets.push({
        offered: 0,
        succeeded: 0,
        completed: 0,
        refused: 0,
        failed: 0,
        times: new Samples(),
      });
    }
    return this.buckets[index] as Bucket;
  }
}

function toPoint({ times, ...counts }: Bucket, index: number): TimelinePoint {
  const [p50Ms, p99Ms] = times.quantiles(0.5, 0.99);
  return { atMs: index * BUCKET_MS, ...counts, p50Ms, p99Ms };
}
