import { VOID } from '../src/ledger/codec.ts';
import { callEntry } from '../src/ledger/entry.ts';
import { findRecorded, settleCall } from '../src/ledger/settle.ts';
import type { Logger } from '../src/logger.ts';
import { Problem } from '../src/problem.ts';
import type { CallHandlers } from '../src/queue/consume/consume-shard.ts';
import type { ReplyWriter } from '../src/queue/consume/reply-writer.ts';
import { encodeFrame, type ReplyNote } from '../src/queue/frame.ts';
import type { Lane } from '../src/queue/queues.ts';
import { type CallBatch, type WireCall, waitsSince } from '../src/queue/wire.ts';
import type { RedisClock } from '../src/redis/clock.ts';
import type { RedisConnection } from '../src/redis/connections.ts';
import { type Reservation, reserveTxids } from '../src/state/reserve.ts';
import type { Trace, Tracing } from '../src/tracing/trace.ts';
import { CallCost } from './call-cost.ts';
import type { CallLog } from './call-log.ts';
import type { RunningDeliveries } from './delivery/start-deliveries.ts';
import { NeedsSlowLane } from './driver.ts';
import type { CallExecutor } from './executor/call-executor.ts';
import type { CallOutcome } from './executor/run.ts';
import type { RetentionKeeper } from './retention.ts';
import type { RunMetrics } from './run-metrics.ts';
import type { StopSignals } from './stop-signals.ts';
import { endMoved, endRun, traceRun } from './trace-call.ts';
import { Slices } from './turns/slices.ts';

// Jobs that a worker has taken wait for it, while other workers may be idle. With more than half of the time that a call may be outstanding,
// a few workers would hold the whole window.
const TAKEN_MS_MAX = 75;

export interface CallRunnerOptions {
  state: RedisConnection;
  executor: CallExecutor;
  replies: ReplyWriter;
  clock: RedisClock;
  /** Stops calls of the slow and the lone lane. */
  signals: StopSignals;
  callLog: CallLog;
  tracing: Tracing;
  metrics: RunMetrics;
  retention: Pick<RetentionKeeper, 'touch'>;
  /** Is told of a workspace after calls that may have changed it. */
  deliveries: Pick<RunningDeliveries, 'touch'>;
  log: Logger;
}

/** The txids reserved for a workspace's calls, and how many of them have been used. */
interface Share {
  next: number;
  reservation: Promise<Reservation>;
}

/** Runs the calls of a batch concurrently, and sends each reply as soon as it is ready. */
export class CallRunner implements CallHandlers {
  private readonly options: CallRunnerOptions;
  private readonly never = new AbortController().signal;
  private readonly slices = new Slices();
  private readonly turn = (call: WireCall) => this.slices.next(call.workspaceId);
  private readonly sharedTurn = (call: WireCall) => {
    const wait = this.turn(call);
    if (wait === undefined) return undefined;
    this.waiting.add(call);
    // Not chained to the returned promise: with one more microtask, the next call would run first.
    void wait.then(() => this.waiting.delete(call));
    return wait;
  };
  /** Calls of the shared lane that wait for their turn in this process. */
  private readonly waiting = new Set<WireCall>();
  private readonly counts = { shared: 0, slow: 0, lone: 0 };
  private readonly cost = new CallCost();

  constructor(options: CallRunnerOptions) {
    this.options = options;
  }

  /** How many calls of the shared lane run. */
  get running(): number {
    return this.counts.shared;
  }

  /** How many calls run, by lane. */
  get runningIn(): Readonly<Record<Lane, number>> {
    return this.counts;
  }

  /** How long the oldest call of the shared lane that waits for its turn in this process has waited for the service. */
  get oldestWaitMs(): number {
    const now = this.options.clock.now();
    let oldest = now;
    for (const call of this.waiting) oldest = Math.min(oldest, waitsSince(call));
    return now - oldest;
  }

  async run(batch: CallBatch, lane: Lane, moveToSlow: (call: WireCall) => Promise<void>): Promise<void> {
    const live = batch.calls.filter((call) => call.notAfter >= this.options.clock.now());
    const shares = this.reserve(live);
    this.options.metrics.batchCalls.observe(batch.calls.length);
    const runs = live.map((call) =>
      this.runOne(batch, lane, call, shares.get(call.workspaceId) as Share, moveToSlow),
    );
    await Promise.all(runs);
    for (const workspaceId of shares.keys()) this.options.deliveries.touch(workspaceId);
  }

  hasRoom(): boolean {
    return this.counts.shared * this.cost.msEach < TAKEN_MS_MAX;
  }

  jobRestarted(lane: Lane, wasHandedBack: boolean): void {
    this.options.metrics.rerun.inc({ lane, reason: wasHandedBack ? 'handed_back' : 'interrupted' });
  }

  async findUnrecorded(batch: CallBatch): Promise<WireCall[]> {
    const found = await Promise.all(
      batch.calls.map((call) => findRecorded(this.options.state, callEntry(this.options.state, call, batch))),
    );
    const unrecorded: WireCall[] = [];
    for (const [index, call] of batch.calls.entries()) {
      const recorded = found[index] ?? null;
      if (recorded === null || call.key) unrecorded.push(call);
      else if (recorded !== VOID) await this.options.replies.send(batch.replyTo, call.number, recorded);
    }
    return unrecorded;
  }

  async giveUp(batch: CallBatch): Promise<void> {
    for (const call of batch.calls) {
      const recorded =
        (await settleCall(this.options.state, callEntry(this.options.state, call, batch))) ?? null;
      const problem = new Problem('outcome_unknown', {
        detail: 'The call was interrupted every time it was tried, and will not be tried again.',
      });
      const frame = recorded ?? encodeFrame(problem.status, '', JSON.stringify(problem));
      await this.options.replies.send(batch.replyTo, call.number, frame);
      if (recorded !== null) continue;
      this.options.metrics.givenUp.inc();
      this.options.log.error({ callId: call.id, method: call.method }, 'gave a call up');
    }
  }

  // Reserves txids before any call reads: each call waits for its workspace's reservation.
  private reserve(calls: WireCall[]): Map<string, Share> {
    const counts = new Map<string, number>();
    for (const { workspaceId } of calls) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1);
    const shares = new Map<string, Share>();
    for (const [workspaceId, count] of counts) {
      this.options.retention.touch(workspaceId);
      shares.set(workspaceId, {
        next: 0,
        reservation: reserveTxids(this.options.state, workspaceId, count),
      });
    }
    return shares;
  }

  private async runOne(
    batch: CallBatch,
    lane: Lane,
    call: WireCall,
    share: Share,
    moveToSlow: (call: WireCall) => Promise<void>,
  ): Promise<void> {
    const { clock, callLog, tracing } = this.options;
    const startedAt = clock.now();
    const trace = traceRun(tracing, call, { lane, at: startedAt, calls: batch.calls.length });
    const running = this.outcomeOf(batch, lane, call, share, trace);
    // A call that throws goes on in the slow lane.
    if (trace !== undefined) running.catch(() => endMoved(trace, call, clock.now()));
    this.counts[lane] += 1;
    let outcome: CallOutcome | null | 'moves';
    try {
      outcome = await running;
    } catch (error) {
      if (!(error instanceof NeedsSlowLane)) throw error;
      outcome = 'moves';
    } finally {
      // Each call on its own: one that takes long says nothing about the others of its batch.
      this.counts[lane] -= 1;
      this.cost.note(1);
    }
    if (outcome === 'moves') return this.moveOn(batch, call, moveToSlow);
    const ranUntil = endRun(trace, outcome, clock.now());
    // Its caller no longer waits.
    if (outcome === null) return;
    if (outcome.frame !== null) {
      try {
        await this.options.replies.send(batch.replyTo, call.number, outcome.frame, noteOf(outcome, ranUntil));
      } catch (err) {
        // Must not fail the job, and with it the other calls. The caller's process will ask the ledger.
        this.options.log.warn({ err, callId: call.id }, 'a reply could not be sent');
      }
    }
    callLog.record(call, outcome, startedAt, clock.now());
  }

  // Null if the call's time was over before its turn came.
  private outcomeOf(
    batch: CallBatch,
    lane: Lane,
    call: WireCall,
    share: Share,
    trace: Trace | undefined,
  ): Promise<CallOutcome | null> {
    const { state, executor, signals, clock } = this.options;
    const options = {
      entry: callEntry(state, call, batch),
      reservation: share.reservation,
      index: share.next,
      signal: this.never,
      mayWait: false,
      // In the other lanes, a call may come from an interrupted batch.
      again: lane !== 'shared',
      trace,
    };
    share.next += 1;
    if (lane === 'shared') return executor.runInTurn(call, options, this.sharedTurn);
    // A call that waits would keep others from the lone lane. It goes on in the slow lane, unless that was interrupted before.
    const mayWait = lane === 'slow' || batch.wasLone === true;
    return signals.run(call.id, call.notAfter - clock.now(), (signal) =>
      executor.runInTurn(call, { ...options, signal, mayWait }, this.turn),
    );
  }

  private async moveOn(
    { replyTo }: CallBatch,
    call: WireCall,
    moveToSlow: (call: WireCall) => Promise<void>,
  ): Promise<void> {
    // Calls that were read in one batch get here together, and may be large.
    await this.turn(call);
    const note = () => this.options.replies.noteMoved(replyTo, call.number).catch(() => undefined);
    await moveToSlow(call).then(note, (err) => {
      this.options.log.warn({ err, callId: call.id }, 'a call could not be moved to the slow lane');
    });
  }
}

function noteOf({ cost }: CallOutcome, ranUntil: number | undefined): ReplyNote | undefined {
  return cost === undefined && ranUntil === undefined ? undefined : { cost, ranUntil };
}
