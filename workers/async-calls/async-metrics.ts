import { Counter, type Registry } from 'prom-client';

/** What a worker process counts of async calls. */
export class AsyncMetrics {
  readonly ended: Counter<'status'>;
  readonly retries: Counter;
  readonly readded: Counter;

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
  }
}
