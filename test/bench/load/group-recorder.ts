import type { GroupResult, TimelinePoint } from './load-plan.ts';
import { Samples } from './samples.ts';

/** How long a point of the timeline lasts. */
export const BUCKET_MS = 250;

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
  private readonly refusalsOpen = new Samples();
  private readonly lags = new Samples();
  private readonly failures: Record<string, number> = {};
  private readonly buckets: Bucket[] = [];
  /** Answers 200 so far. */
  answered = 0;
  private due = 0;
  private settled = 0;
  private held = 0;
  private tooLate = 0;
  private longestMs = 0;
  private beganAt = Number.POSITIVE_INFINITY;
  private endedAt = Number.POSITIVE_INFINITY;
  /** Whether answers count by when they come (closed loop), or by when their call was due (open loop). */
  private readonly byArrival: boolean;
  private readonly deadlineMs: number;

  constructor(options: { byArrival: boolean; withTimeline: boolean; deadlineMs?: number | undefined }) {
    this.byArrival = options.byArrival;
    this.deadlineMs = options.deadlineMs ?? Number.POSITIVE_INFINITY;
    this.withTimeline = options.withTimeline;
  }

  begin(now: number): void {
    this.beganAt = now;
  }

  end(now: number): void {
    this.endedAt = now;
  }

  /** Notes that a call became due, when that was seen, and whether a connection was free for it. */
  offer(dueAt: number, seenAt: number, hasConnection: boolean): void {
    if (!this.counts(dueAt)) return;
    this.due += 1;
    this.lags.add(seenAt - dueAt);
    if (!hasConnection) this.held += 1;
    if (this.withTimeline) this.bucket(dueAt).offered += 1;
  }

  /** Notes an answer; status 0 stands for a broken connection. */
  record(status: number, call: { dueAt: number; sentAt: number; isNew?: boolean }, now: number): void {
    const { dueAt, sentAt, isNew = false } = call;
    if (this.counts(dueAt)) this.settled += 1;
    if (!this.counts(this.byArrival ? now : dueAt)) return;
    const ms = now - dueAt;
    const sinceSent = now - sentAt;
    this.longestMs = Math.max(this.longestMs, sinceSent);
    const bucket = this.withTimeline ? this.bucket(dueAt) : undefined;
    if (status === 200) this.recordSuccess(ms, sinceSent, now, bucket);
    else this.recordFailure(status, sinceSent, isNew, bucket);
  }

  result(): GroupResult {
    const [p50Ms, p99Ms, maxMs] = this.times.quantiles(0.5, 0.99, 1);
    const [refusedP99Ms, refusedMaxMs] = this.refusals.quantiles(0.99, 1);
    const [refusedOpenMaxMs] = this.refusalsOpen.quantiles(1);
    const [lagP99Ms, lagMaxMs] = this.lags.quantiles(0.99, 1);
    return {
      answered: this.answered,
      failures: this.failures,
      p50Ms,
      p99Ms,
      maxMs,
      refusedP99Ms,
      refusedMaxMs,
      refusedOpenMaxMs,
      tooLate: this.tooLate,
      longestMs: this.longestMs,
      lagP99Ms,
      lagMaxMs,
      held: this.held,
      unanswered: this.byArrival ? 0 : this.due - this.settled,
      timeline: this.buckets.map(toPoint),
    };
  }

  private recordSuccess(ms: number, sinceSent: number, now: number, bucket: Bucket | undefined): void {
    this.answered += 1;
    if (sinceSent > this.deadlineMs) this.tooLate += 1;
    this.times.add(ms);
    if (!bucket) return;
    bucket.succeeded += 1;
    bucket.times.add(ms);
    this.bucket(now).completed += 1;
  }

  private recordFailure(status: number, sinceSent: number, isNew: boolean, bucket?: Bucket): void {
    const refused = status === 503 || status === 429;
    if (refused) this.refusals.add(sinceSent);
    if (refused && !isNew) this.refusalsOpen.add(sinceSent);
    if (bucket) bucket[refused ? 'refused' : 'failed'] += 1;
    const name = status === 0 ? 'lost' : String(status);
    this.failures[name] = (this.failures[name] ?? 0) + 1;
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
