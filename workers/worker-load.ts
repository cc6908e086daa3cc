import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { performance } from 'node:perf_hooks';
import type { WorkerFigures } from '../src/fleet/figures.ts';
import { SmoothRate } from '../src/fleet/smooth-rate.ts';
import { VERSION } from '../src/version.ts';
import type { CallLog } from './call-log.ts';
import type { CallRunner } from './call-runner.ts';

/** The load of this worker, which it publishes once a second. */
export class WorkerLoad {
  readonly name = `worker-${randomBytes(9).toString('hex')}`;
  isDraining = false;
  private readonly runner: Pick<CallRunner, 'runningIn' | 'oldestWaitMs'>;
  private readonly callLog: Pick<CallLog, 'count'>;
  private readonly asyncCalls: { readonly due: number; readonly running: number };
  private readonly calls = new SmoothRate();
  private readonly due = new SmoothRate();
  private readonly busy = new SmoothRate();
  private readonly startedAt = Date.now();
  // The baseline: time spent loading code must not count as time of calls.
  private readonly loaded = performance.eventLoopUtilization();

  constructor(options: {
    runner: Pick<CallRunner, 'runningIn' | 'oldestWaitMs'>;
    callLog: Pick<CallLog, 'count'>;
    asyncCalls: { readonly due: number; readonly running: number };
  }) {
    this.asyncCalls = options.asyncCalls;
    this.runner = options.runner;
    this.callLog = options.callLog;
  }

  /** Call it once a second. */
  figures(): WorkerFigures {
    const { shared, slow, lone } = this.runner.runningIn;
    // The event loop's busy seconds since the baseline. Their growth per second is the utilization.
    const busySeconds = performance.eventLoopUtilization(this.loaded).active / 1_000;
    return {
      kind: 'worker',
      version: VERSION,
      host: hostname(),
      pid: process.pid,
      startedAt: this.startedAt,
      isDraining: this.isDraining,
      busyShare: round(Math.min(1, this.busy.update(busySeconds))),
      callsPerSecond: round(this.calls.update(this.callLog.count)),
      dueRate: round(this.due.update(this.asyncCalls.due)),
      slowRunning: slow,
      running: shared + lone + this.asyncCalls.running,
      oldestWaitMs: Math.round(this.runner.oldestWaitMs),
    };
  }
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
