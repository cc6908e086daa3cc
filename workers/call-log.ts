import { Counter, Histogram, type Registry } from 'prom-client';
import type { Config } from '../src/config.ts';
import { every, type Repeated } from '../src/every.ts';
import type { Logger } from '../src/logger.ts';
import { type WireCall, waitsSince } from '../src/queue/wire.ts';
import { mayLogLine } from '../src/tenant-lines.ts';
import { traceIdOf } from '../src/tracing/trace-context.ts';
import type { CallOutcome } from './executor/run.ts';

const SUMMARY_MS = 10_000;
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Logs and counts calls for operators: failed and slow calls at `info`, every call at `debug`, a summary of every ten seconds with calls,
 * and counters. Params and results are never logged.
 */
export class CallLog {
  private readonly log: Logger;
  private readonly config: Pick<Config, 'SLOW_CALL_MS'>;
  private readonly summarizing: Repeated;
  private readonly ended = { succeeded: 0, failed: 0 };
  private readonly queueWait: Histogram;
  private readonly runTime: Histogram;
  private summary = emptySummary();

  /** Operators change at run time which calls are logged as slow, so `config` is read at each call. */
  constructor(log: Logger, config: Pick<Config, 'SLOW_CALL_MS'>, registry: Registry) {
    this.log = log;
    this.config = config;
    const registers = [registry];
    const { ended } = this;
    new Counter({
      name: 'switchboard_worker_calls_total',
      help: 'Calls that were run, by outcome.',
      labelNames: ['outcome'],
      registers,
      collect() {
        this.reset();
        for (const [outcome, count] of Object.entries(ended)) this.inc({ outcome }, count);
      },
    });
    this.queueWait = new Histogram({
      name: 'switchboard_call_queue_wait_seconds',
      help: 'Time from the acceptance of a call, or from its slot if its account or workspace has a cap, to its start.',
      buckets: BUCKETS,
      registers,
    });
    this.runTime = new Histogram({
      name: 'switchboard_call_run_seconds',
      help: 'Run time of a call.',
      buckets: BUCKETS,
      registers,
    });
    this.summarizing = every(SUMMARY_MS, () => this.summarize());
  }

  /** Records a call that has ended; times are ms since the epoch by Redis' clock. */
  record(call: WireCall, outcome: CallOutcome, startedAt: number, endedAt: number): void {
    const queueWaitMs = Math.max(0, startedAt - waitsSince(call));
    // The clock of Redis' host may have been set back.
    const runMs = Math.max(0, endedAt - startedAt);
    const failed = outcome.status >= 400;
    this.ended[failed ? 'failed' : 'succeeded'] += 1;
    this.queueWait.observe(queueWaitMs / 1_000);
    this.runTime.observe(runMs / 1_000);
    this.summary.calls += 1;
    if (failed) this.summary.failed += 1;
    this.summary.maxQueueWaitMs = Math.max(this.summary.maxQueueWaitMs, queueWaitMs);
    this.summary.maxRunMs = Math.max(this.summary.maxRunMs, runMs);
    const slow = queueWaitMs + runMs >= this.config.SLOW_CALL_MS;
    const level = outcome.status === 500 ? 'error' : failed || slow ? 'info' : 'debug';
    const { id: callId, method, workspaceId } = call;
    if (!this.log.isLevelEnabled(level) || !mayLogLine(this.log, workspaceId)) return;
    const { status, txid } = outcome;
    const fields = {
      callId,
      method,
      workspaceId,
      messengerAccountId: call.account.id,
      txid,
      status,
      ...traceIdOf(call.trace),
    };
    const times = { queueWaitMs: round(queueWaitMs), runMs: round(runMs) };
    const err = status === 500 ? { err: outcome.error } : {};
    this.log[level](
      { ...fields, ...times, ...err },
      failed ? 'call failed' : slow ? 'call was slow' : 'call finished',
    );
  }

  /** How many calls have ended here. */
  get count(): number {
    return this.ended.succeeded + this.ended.failed;
  }

  stop(): void {
    void this.summarizing.stop();
    this.summarize();
  }

  private summarize(): void {
    if (this.summary.calls === 0) return;
    const { calls, failed, maxQueueWaitMs, maxRunMs } = this.summary;
    this.summary = emptySummary();
    const times = {
      maxQueueWaitMs: round(maxQueueWaitMs),
      maxRunMs: round(maxRunMs),
    };
    this.log.info({ calls, failed, ...times }, 'calls of the last ten seconds');
  }
}

function emptySummary() {
  return { calls: 0, failed: 0, maxQueueWaitMs: 0, maxRunMs: 0 };
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
