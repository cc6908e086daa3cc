import { Counter, Gauge, type Registry } from 'prom-client';
import type { CallCounts } from '../../src/async-calls/count-calls.ts';

/** Counts the async calls of this process, and shows the totals of all workspaces. */
export class AsyncMetrics {
  readonly ended: Counter<'status'>;
  readonly retries: Counter;
  readonly readded: Counter;
  private readonly kept: Gauge<'state'>;
  private readonly oldest: Gauge;

  constructor(registry: Registry) {
    const registers = [registry];
    this.ended = new Counter({
      name: 'switchboard_async_calls_ended_total',
      help: 'Async calls that ended.',
      labelNames: ['status'],
      registers,
    });
    this.retries = new Counter({
      name: 'switchboard_async_call_retries_total',
      help: 'Attempts at async calls that another will follow.',
      registers,
    });
    this.readded = new Counter({
      name: 'switchboard_async_jobs_checked_total',
      help: 'Jobs of async calls added again in case they were lost.',
      registers,
    });
    this.kept = new Gauge({
      name: 'switchboard_async_calls',
      help: 'Async calls: backlog (may run), later (their time has not come), failed and expired (kept); the same in all.',
      labelNames: ['state'],
      registers,
    });
    this.oldest = new Gauge({
      name: 'switchboard_async_oldest_call_seconds',
      help: 'How long the oldest call of the backlog could have run; the same in all.',
      registers,
    });
  }

  /** Sets the gauges to the totals of all workspaces. */
  show({ oldestMs, ...counts }: CallCounts): void {
    for (const [state, count] of Object.entries(counts)) this.kept.set({ state }, count);
    this.oldest.set(oldestMs / 1_000);
  }
}
