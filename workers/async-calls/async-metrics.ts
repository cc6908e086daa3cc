import { Counter, type Registry } from 'prom-client';
import type { CallCounts } from '../../src/async-calls/count-calls.ts';
import { FreshGauge } from '../../src/metrics/fresh-gauge.ts';

/** Counts the async calls of this process, and shows the totals of all workspaces. */
export class AsyncMetrics {
  readonly ended: Counter<'status'>;
  readonly retries: Counter;
  readonly readded: Counter;
  private readonly kept: FreshGauge<'state'>;
  private readonly oldest: FreshGauge;

  constructor(registry: Registry) {
    const registers = [registry];
    this.ended = new Counter({
      name: 'switchboard_async_calls_ended_total',
      help: 'Async calls that the process has ended, by status.',
      labelNames: ['status'],
      registers,
    });
    // A series that begins with its first calls hides them: Prometheus sees an increase only from one scrape to the next.
    for (const status of ['succeeded', 'failed', 'canceled', 'expired']) this.ended.inc({ status }, 0);
    this.retries = new Counter({
      name: 'switchboard_async_call_retries_total',
      help: 'Failed attempts at async calls that are retried.',
      registers,
    });
    this.readded = new Counter({
      name: 'switchboard_async_jobs_checked_total',
      help: 'Jobs of async calls that were added again in case they were lost.',
      registers,
    });
    this.kept = new FreshGauge({
      name: 'switchboard_async_calls',
      help: 'Async calls by state: backlog (due), later (not yet due), failed and expired (still kept); the same in all workers.',
      labelNames: ['state'],
      registers,
    });
    this.oldest = new FreshGauge({
      name: 'switchboard_async_oldest_call_seconds',
      help: 'Time for which the oldest async call of the backlog has been due; the same in all workers.',
      registers,
    });
  }

  /** Sets the gauges to the totals of all workspaces. */
  show({ oldestMs, ...counts }: CallCounts): void {
    for (const [state, count] of Object.entries(counts)) this.kept.set(count, { state });
    this.oldest.set(oldestMs / 1_000);
  }
}
