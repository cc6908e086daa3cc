import type { FailedStatus } from '../../src/async-calls/async-call.ts';
import {
  beginAttempt,
  type CallAttempt,
  type CallRef,
  KILLED_MAX,
  leaveOwnProcess,
  postponeCall,
} from '../../src/async-calls/attempt-call.ts';
import { restoreOpenCall } from '../../src/async-calls/call-workspace.ts';
import { markDue } from '../../src/async-calls/due-workspaces.ts';
import { addFailure, addSuccess, endCall, keyDeleted } from '../../src/async-calls/end-call.ts';
import type { Config } from '../../src/config.ts';
import type { MessengerAccount } from '../../src/directory/collections.ts';
import { findGone } from '../../src/directory/deletions.ts';
import { findRecord, notFound } from '../../src/directory/records.ts';
import { asyncEntry } from '../../src/ledger/entry.ts';
import type { Logger } from '../../src/logger.ts';
import { Problem } from '../../src/problem.ts';
import { toCallingAccount, type WireCall } from '../../src/queue/wire.ts';
import type { RedisClock } from '../../src/redis/clock.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import { reserveTxids } from '../../src/state/reserve.ts';
import { mayLogLine } from '../../src/tenant-lines.ts';
import type { Trace, Tracing } from '../../src/tracing/trace.ts';
import type { CallLog } from '../call-log.ts';
import { NeedsSlowLane } from '../driver.ts';
import type { CallExecutor } from '../executor/call-executor.ts';
import type { CallOutcome } from '../executor/run.ts';
import type { StopSignals } from '../stop-signals.ts';
import { endMoved, endRun, traceRun } from '../trace-call.ts';
import { retryDelay } from './retry-delay.ts';

// The call has not failed, and another worker can go on.
const SHUTDOWN_RETRY_MS = 1_000;

/** Counts what becomes of calls. */
export interface AttemptListener {
  ended(status: string): void;
  retried(): void;
  /** Called at the first attempt at a scheduled call. */
  scheduledDue?(): void;
  /** Called when a call has ended because it has killed its processes. */
  gaveUp?(): void;
}

export interface AttemptRunnerOptions {
  state: RedisConnection;
  clock: RedisClock;
  executor: CallExecutor;
  signals: StopSignals;
  callLog: CallLog;
  tracing: Tracing;
  listener: AttemptListener;
  log: Logger;
  settings: Pick<Config, 'ASYNC_CALL_RUN_MS' | 'ASYNC_CALL_ATTEMPTS_MAX' | 'ASYNC_CALL_RETRY_MS'>;
}

/** Whether a run may wait, and what ends that. */
interface Waiting {
  signal: AbortSignal;
  mayWait: boolean;
}

/** Makes attempts at async calls. An attempt ends with a commit, or postpones the call to be retried. */
export class AttemptRunner {
  private readonly options: AttemptRunnerOptions;

  constructor(options: AttemptRunnerOptions) {
    this.options = options;
  }

  /**
   * Makes an attempt at a call. Returns
   * - `over`: the call has ended, or is postponed;
   * - `suspect`: no attempt was made, as a process died while it ran the call: it must run alone in a process;
   * - `waits`: it ran alone, and would hold up others while it waits for something: it must go on where it does not run alone.
   */
  async run(ref: CallRef, isAlone: boolean): Promise<'over' | 'suspect' | 'waits'> {
    const { state, signals, settings } = this.options;
    // Listen before the attempt is recorded as begun, so that no cancel is missed.
    return signals.run(ref.callId, settings.ASYNC_CALL_RUN_MS, async (signal) => {
      const attempt = await beginAttempt(state, ref, isAlone);
      if (attempt === 'suspect') return attempt;
      if (attempt === null) return 'over';
      const run = this.runAttempt(ref, attempt, { signal, mayWait: !isAlone || attempt.isWaiter });
      return run.then(
        (): 'over' => 'over',
        async (error): Promise<'waits'> => {
          if (!(error instanceof NeedsSlowLane)) throw error;
          await leaveOwnProcess(state, ref, attempt);
          return 'waits';
        },
      );
    });
  }

  private async runAttempt(ref: CallRef, attempt: CallAttempt, waiting: Waiting): Promise<void> {
    const { state } = this.options;
    const { call, startedAt, killed, attempts } = attempt;
    restoreOpenCall(state, call);
    if (attempts === 1 && call.scheduleAt !== null) this.options.listener.scheduledDue?.();
    if (startedAt > call.expiresAt) return this.endUnrun(attempt, 'expired', new Problem('call_expired'));
    if (killed >= KILLED_MAX) return this.giveUp(attempt);
    // The eraser ends such calls too, but its first pass misses one that is accepted meanwhile.
    if ((await findGone(state, call.makers ?? [])).size > 0)
      return this.endUnrun(attempt, 'canceled', keyDeleted());
    const account = await findRecord(state, 'messenger-accounts', ref.accountId);
    if (account === null) return this.endUnrun(attempt, 'failed', notFound('messenger-accounts'));
    const wire = this.toWireCall(attempt, account);
    let retryAt: number | null = null;
    const { tracing } = this.options;
    const isTraced = wire.trace !== undefined && tracing.mayRun(call.organizationId);
    const trace = isTraced ? traceRun(tracing, wire, { lane: 'async', at: startedAt, calls: 1 }) : undefined;
    const running = this.runOnce(wire, attempt, waiting, trace, (problem) => {
      retryAt = this.retryTime(attempt, problem);
      return retryAt !== null;
    });
    if (trace !== undefined) running.catch(() => endMoved(trace, wire, this.options.clock.now()));
    const outcome = await running;
    endRun(trace, outcome, this.options.clock.now());
    this.options.callLog.record(wire, outcome, startedAt, this.options.clock.now());
    if (outcome.frame !== null) return;
    const problem = outcome.error instanceof Problem ? outcome.error : new Problem('call_timeout');
    retryAt ??= this.retryTime(attempt, problem);
    if (retryAt === null) await this.end(attempt, 'failed', problem);
    else await this.postpone(ref, attempt, retryAt, problem);
  }

  private async runOnce(
    wire: WireCall,
    { call, attempts }: CallAttempt,
    { signal, mayWait }: Waiting,
    trace: Trace | undefined,
    mayRetry: (problem: Problem) => boolean,
  ): Promise<CallOutcome> {
    const { state, executor, listener } = this.options;
    const outcome = await executor.run(wire, {
      entry: asyncEntry(call.workspaceId, call.id, wire.notAfter),
      reservation: reserveTxids(state, call.workspaceId, 1),
      index: 0,
      signal,
      mayWait,
      again: true,
      trace,
      asyncEnd: {
        attempt: attempts,
        succeed: (tx, result) => addSuccess(tx, call, result),
        fail: (tx, problem) => (mayRetry(problem) ? null : addFailure(tx, call, 'failed', problem)),
      },
    });
    if (outcome.txid !== null) listener.ended(outcome.status < 400 ? 'succeeded' : 'failed');
    return outcome;
  }

  private toWireCall({ call, attempts, startedAt, runAt }: CallAttempt, account: MessengerAccount): WireCall {
    const { id, workspaceId, method, params, seed, trace } = call;
    return {
      id,
      number: 0,
      workspaceId,
      account: toCallingAccount(account),
      driver: account.driver,
      method,
      kind: 'method',
      params,
      acceptedAt: runAt,
      notAfter: startedAt + this.options.settings.ASYNC_CALL_RUN_MS,
      seed,
      ...(trace === undefined ? {} : { trace: { ...trace, at: runAt, attempt: attempts } }),
    };
  }

  // Null if the call fails for good.
  private retryTime({ call, attempts }: CallAttempt, problem: Problem): number | null {
    const { settings, clock } = this.options;
    if (!problem.retryable) return null;
    const isShutdown = problem.code === 'shutting_down';
    if (attempts >= settings.ASYNC_CALL_ATTEMPTS_MAX && !isShutdown) return null;
    const { ASYNC_CALL_RETRY_MS: baseMs } = settings;
    const delay = isShutdown
      ? retryDelay(problem, 1, Math.min(baseMs, SHUTDOWN_RETRY_MS))
      : retryDelay(problem, attempts, baseMs);
    const at = clock.now() + delay;
    return at > call.expiresAt ? null : at;
  }

  private async postpone(
    ref: CallRef,
    attempt: CallAttempt,
    retryAt: number,
    problem: Problem,
  ): Promise<void> {
    const { state, listener } = this.options;
    // Before the call is postponed, so that it is found however this process ends.
    await markDue(state, ref.workspaceId, retryAt);
    const isPostponed = await postponeCall(state, ref, attempt, Math.ceil(retryAt), problem);
    if (isPostponed && problem.code !== 'shutting_down') listener.retried();
  }

  private async giveUp(attempt: CallAttempt): Promise<void> {
    const detail = 'The process that ran the call died, every time it was tried.';
    if (!(await this.end(attempt, 'failed', new Problem('outcome_unknown', { detail })))) return;
    const { listener, log } = this.options;
    listener.gaveUp?.();
    const { id: callId, method, workspaceId } = attempt.call;
    if (mayLogLine(log, workspaceId)) log.error({ callId, method, workspaceId }, 'gave a call up');
  }

  // The log of runs says nothing of such a call.
  private async endUnrun(attempt: CallAttempt, status: FailedStatus, problem: Problem): Promise<void> {
    if (!(await this.end(attempt, status, problem))) return;
    const { log } = this.options;
    const { id: callId, method, workspaceId, messengerAccountId } = attempt.call;
    if (!mayLogLine(log, workspaceId)) return;
    const fields = { callId, method, workspaceId, messengerAccountId, status, code: problem.code };
    log.info(fields, `call ${status}`);
  }

  // False if the call had ended already.
  private async end({ call }: CallAttempt, status: FailedStatus, problem: Problem): Promise<boolean> {
    const { state, clock, listener } = this.options;
    const hasEnded = await endCall(state, call, status, problem, clock.now());
    if (hasEnded) listener.ended(status);
    return hasEnded;
  }
}
