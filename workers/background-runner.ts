import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../src/config.ts';
import { Problem } from '../src/problem.ts';
import { toCallingAccount } from '../src/queue/account-orders.ts';
import type { BackgroundQueue } from '../src/queue/background-queue.ts';
import type { BackgroundSlots } from '../src/queue/background-slots.ts';
import type { WireCall } from '../src/queue/wire.ts';
import type { RedisClock } from '../src/redis/clock.ts';
import type { RedisConnection } from '../src/redis/connections.ts';
import { ledgerKey } from '../src/redis/keys.ts';
import type { Accounts } from '../src/store/accounts.ts';
import { asyncLedgerEntry, type FailedStatus } from '../src/store/async-calls/async-call.ts';
import {
  type Attempt,
  beginAttempt,
  type CallPlace,
  postponeCall,
} from '../src/store/async-calls/attempt-call.ts';
import { noteDue } from '../src/store/async-calls/due-workspaces.ts';
import { endCall, failCall, succeedCall } from '../src/store/async-calls/end-call.ts';
import { findRunAt } from '../src/store/async-calls/find-call.ts';
import { placeWaitingCalls } from '../src/store/async-calls/place-calls.ts';
import type { MessengerAccount } from '../src/store/collections.ts';
import { gatherReads, type StateReader } from '../src/store/gather-reads.ts';
import { findRecord, notFound } from '../src/store/records.ts';
import { reserveTxids } from '../src/store/reserve.ts';
import type { BackgroundMetrics } from './background-metrics.ts';
import type { CallLog } from './call-log.ts';
import type { CallRunnerOptions } from './call-runner.ts';
import type { Driver } from './driver.ts';
import type { RetentionKeeper } from './retention.ts';
import { retryDelay } from './retry-delay.ts';
import { type CallOutcome, runCall, toProblem } from './run-call.ts';
import type { StopSignals } from './stop-signals.ts';

export interface BackgroundRunnerOptions {
  state: RedisConnection;
  queue: BackgroundQueue;
  accounts: Pick<Accounts, 'find'>;
  slots: BackgroundSlots;
  clock: RedisClock;
  drivers: ReadonlyMap<string, Driver>;
  signals: StopSignals;
  callLog: CallLog;
  metrics: BackgroundMetrics;
  retention: Pick<RetentionKeeper, 'touch'>;
  courier: CallRunnerOptions['courier'];
  settings: Pick<
    Config,
    'ASYNC_CALL_RUN_MS' | 'ASYNC_CALL_ATTEMPTS_MAX' | 'ASYNC_CALL_RETRY_MS' | 'SANDBOX_CRASH_FAULTS'
  >;
  /** How many calls that someone waits for run in this process. */
  callersRunning(): number;
}

// After as many processes that ended with it, a call is taken to be the cause.
const INTERRUPTED_MAX = 2;

const CALLERS_FIRST_FROM = 8;
const CALLERS_FIRST_MS = 500;
const LOOK_AGAIN_MS = 10;

// A call that a cap holds up is not kept in the hands of a worker, which has others to run.
const SLOT_AGAIN_MS = 400;
// A worker may notice a little late that an attempt's time is over.
const LATE_MS = 1_000;

/** Runs calls that nobody waits for: each attempt ends with a commit, or with the call put back to be tried again. */
export class BackgroundRunner {
  private readonly options: BackgroundRunnerOptions;
  private readonly reads: StateReader;

  constructor(options: BackgroundRunnerOptions) {
    this.options = options;
    this.reads = gatherReads(options.state);
  }

  /**
   * Makes an attempt at a call, if it is still to be run, and puts those that waited for its place on the queue; null then. While
   * a cap holds it up nothing is done, and in how many ms to come again is given.
   */
  async run(place: CallPlace): Promise<number | null> {
    const { accounts, queue, slots, state, settings, clock } = this.options;
    await this.letCallersPass();
    const caps = (await accounts.find(place.workspaceId, place.accountId))?.caps ?? null;
    const runAt = caps === null ? null : await findRunAt(state, place.workspaceId, place.callId);
    if (caps === null || runAt === null) {
      await this.runNow(place);
    } else {
      const endsAt = clock.now() + settings.ASYNC_CALL_RUN_MS + LATE_MS;
      if (!(await slots.take(place, caps, runAt, endsAt))) return SLOT_AGAIN_MS * (0.5 + Math.random() / 2);
      // One that cannot be given back ends by itself.
      await this.runNow(place).finally(() => slots.free(place, caps).catch(() => undefined));
    }
    this.options.courier.touch(place.workspaceId);
    await queue.add(await placeWaitingCalls(state, place.workspaceId));
    return null;
  }

  private async runNow(place: CallPlace): Promise<void> {
    const { state, signals, settings } = this.options;
    // From before it is known to run: who cancels it then is heard.
    await signals.run(place.callId, settings.ASYNC_CALL_RUN_MS, async (signal) => {
      const attempt = await beginAttempt(state, place);
      if (attempt !== null) await this.runAttempt(place, attempt, signal);
    });
  }

  // Bounded, for a worker that is always busy has to get on with these too.
  private async letCallersPass(): Promise<void> {
    const until = performance.now() + CALLERS_FIRST_MS;
    while (this.options.callersRunning() >= CALLERS_FIRST_FROM && performance.now() < until) {
      await sleep(LOOK_AGAIN_MS);
    }
  }

  private async runAttempt(place: CallPlace, attempt: Attempt, signal: AbortSignal): Promise<void> {
    const { state } = this.options;
    const { call, startedAt, interrupted } = attempt;
    if (startedAt > call.expiresAt) return this.end(attempt, 'expired', new Problem('call_expired'));
    if (interrupted >= INTERRUPTED_MAX) {
      const detail = 'The process that ran the call died, every time it was tried.';
      return this.end(attempt, 'failed', new Problem('outcome_unknown', { detail }));
    }
    const account = await findRecord(state, 'messenger-accounts', place.accountId);
    if (account === null) return this.end(attempt, 'failed', notFound('messenger-accounts'));
    this.options.retention.touch(place.workspaceId);
    const reservation = reserveTxids(state, place.workspaceId, 1);
    const wire = this.toWireCall(attempt, account);
    let retryAt: number | null = null;
    const outcome = await this.runOnce(wire, attempt, signal, reservation, (problem) => {
      retryAt = this.retryTime(attempt, problem);
      return retryAt !== null;
    });
    this.options.callLog.record(wire, outcome, startedAt, this.options.clock.now());
    if (outcome.frame !== null) return;
    const problem = outcome.error instanceof Problem ? outcome.error : new Problem('call_timeout');
    retryAt ??= this.retryTime(attempt, problem);
    if (retryAt === null) return this.end(attempt, 'failed', problem);
    await this.postpone(place, retryAt, problem);
  }

  private async runOnce(
    wire: WireCall,
    attempt: Attempt,
    signal: AbortSignal,
    reservation: ReturnType<typeof reserveTxids>,
    mayRetry: (problem: Problem) => boolean,
  ): Promise<CallOutcome> {
    const { state, drivers, clock, settings, metrics } = this.options;
    const { call, attempts } = attempt;
    const startedAt = performance.now();
    try {
      const driver = drivers.get(wire.driver);
      if (!driver) throw new Problem('unavailable', { detail: `No worker runs the driver ${wire.driver}.` });
      const { first } = await reservation;
      const context = {
        state,
        reads: this.reads,
        driver,
        entry: asyncLedgerEntry(call.workspaceId, call.id, wire.notAfter),
        txid: first,
        reservation,
        signal,
        crashFaults: settings.SANDBOX_CRASH_FAULTS,
        now: clock.now(),
        again: true,
        startedAt,
        background: {
          faultLedger: ledgerKey(call.workspaceId, `${call.id}-fault-${attempts}`),
          succeed: (tx, result) => succeedCall(tx, call, result, clock.now()),
          fail: (tx, problem) =>
            mayRetry(problem) ? null : failCall(tx, call, 'failed', problem, clock.now()),
        },
      } satisfies Parameters<typeof runCall>[1];
      const outcome = await runCall(wire, context, true);
      if (outcome.txid !== null) metrics.ended.inc({ status: outcome.status < 400 ? 'succeeded' : 'failed' });
      return outcome;
    } catch (error) {
      return { frame: null, status: 503, txid: null, error: toProblem(error, wire.method) };
    }
  }

  private toWireCall({ call, startedAt, runAt }: Attempt, account: MessengerAccount): WireCall {
    const { id, workspaceId, method, params, seed } = call;
    return {
      id,
      workspaceId,
      account: toCallingAccount(account),
      driver: account.driver,
      method,
      kind: 'method',
      params,
      acceptedAt: runAt,
      notAfter: startedAt + this.options.settings.ASYNC_CALL_RUN_MS,
      seed,
    };
  }

  // Null when the problem is the call's end.
  private retryTime({ call, attempts }: Attempt, problem: Problem): number | null {
    const { settings, clock } = this.options;
    if (!problem.retryable) return null;
    const isOurs = problem.code === 'shutting_down';
    if (attempts >= settings.ASYNC_CALL_ATTEMPTS_MAX && !isOurs) return null;
    const at = clock.now() + retryDelay(problem, isOurs ? 1 : attempts, settings.ASYNC_CALL_RETRY_MS);
    return at > call.expiresAt ? null : at;
  }

  private async postpone(place: CallPlace, retryAt: number, problem: Problem): Promise<void> {
    this.options.metrics.retries.inc();
    // Before it is put back: it is then found, however this process ends.
    await noteDue(this.options.state, place.workspaceId, retryAt);
    await postponeCall(this.options.state, place, Math.ceil(retryAt), problem);
  }

  private async end({ call }: Attempt, status: FailedStatus, problem: Problem): Promise<void> {
    const { state, clock, metrics } = this.options;
    if (await endCall(state, call, status, problem, clock.now())) metrics.ended.inc({ status });
  }
}
