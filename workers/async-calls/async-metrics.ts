import { Counter, Gauge, type Registry } from 'prom-client';
import type { CallCounts } from '../../src/async-calls/count-calls.ts';

/** What a worker process counts of async calls, and how those of all workspaces stand. */
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
      help: 'Async calls that ended here, by status.',
      labelNames: ['status'],
      registers,
    });
    this.retries = new Counter({
      name: 'switchboard_async_call_retries_total',
      help: 'Attempts at async calls that are to be followed by another.',
      registers,
    });
    this.readded = new Counter({
      name: 'switchboard_async_jobs_checked_total',
      help: 'Jobs of async calls that were added once more, in case that they were lost.',
      registers,
    });
    this.kept = new Gauge({
      name: 'switchboard_async_calls',
      help: 'Async calls of all workspaces: backlog (may run and have not ended), later (their time has not come), and the dead letters failed and expired; every worker tells the same.',
      labelNames: ['state'],
      registers,
    });
    this.oldest = new Gauge({
      name: 'switchboard_async_oldest_call_seconds',
      help: 'For how long the oldest async call of the backlog could have run; every worker tells the same.',
      registers,
    });
  }

  /** Shows how the async calls of all workspaces stand. */
  show({ oldestMs, ...counts }: CallCounts): void {
    for (const [state, count] of Object.entries(counts)) this.kept.set({ state }, count);
    this.oldest.set(oldestMs / 1_000);
  }
}
