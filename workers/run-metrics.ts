import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ReplyWriter } from '../src/queue/consume/reply-writer.ts';
import { LANES, type Lane } from '../src/queue/queues.ts';

/** Counts the jobs and commits of a worker. */
export class RunMetrics {
  readonly batchCalls: Histogram;
  readonly rerun: Counter<'lane' | 'reason'>;
  readonly givenUp: Counter;
  readonly conflicts: Counter;
  private readonly registers: [Registry];

  constructor(registry: Registry) {
    const registers: [Registry] = [registry];
    this.registers = registers;
    this.batchCalls = new Histogram({
      name: 'switchboard_batch_calls',
      help: 'Number of calls in a job.',
      buckets: [1, 2, 4, 8, 16, 32, 64, 96],
      registers,
    });
    this.rerun = new Counter({
      name: 'switchboard_jobs_rerun_total',
      help: 'Jobs that were started again because their worker died (interrupted) or was shut down (handed_back).',
      labelNames: ['lane', 'reason'],
      registers,
    });
    for (const lane of LANES)
      for (const reason of ['interrupted', 'handed_back']) this.rerun.inc({ lane, reason }, 0);
    this.givenUp = new Counter({
      name: 'switchboard_calls_given_up_total',
      help: 'Calls that ended as outcome_unknown because every attempt was interrupted.',
      registers,
    });
    this.conflicts = new Counter({
      name: 'switchboard_commit_conflicts_total',
      help: 'Commits that failed because something read had changed; the method then ran again.',
      registers,
    });
  }

  /** Exposes what other parts count: running calls, dropped replies, the longest stream. */
  watch(
    runner: { readonly runningIn: Readonly<Record<Lane, number>> },
    asyncCalls: { readonly running: number },
    replies: Pick<ReplyWriter, 'dropped'>,
    retention: { readonly longestStream: number },
  ): void {
    const { registers } = this;
    new Gauge({
      name: 'switchboard_updates_stream_entries_max',
      help: 'Entries in the longest update stream that was trimmed lately.',
      registers,
      collect() {
        this.set(retention.longestStream);
      },
    });
    new Gauge({
      name: 'switchboard_worker_calls_running',
      help: 'Calls that run now, by lane.',
      labelNames: ['lane'],
      registers,
      collect() {
        const counts = { ...runner.runningIn, async: asyncCalls.running };
        for (const [lane, count] of Object.entries(counts)) this.set({ lane }, count);
      },
    });
    new Counter({
      name: 'switchboard_replies_dropped_total',
      help: 'Replies that were dropped because their API process was gone or did not read.',
      registers,
      collect() {
        this.reset();
        this.inc(replies.dropped);
      },
    });
  }
}
