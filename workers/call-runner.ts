import type { DataWatch } from '../src/directory/data-watch.ts';
import type { Tenants } from '../src/directory/tenants.ts';
import { VOID } from '../src/ledger/codec.ts';
import { callEntry } from '../src/ledger/entry.ts';
import { findRecorded, settleCall } from '../src/ledger/settle.ts';
import type { Logger } from '../src/logger.ts';
import { Problem } from '../src/problem.ts';
import type { CallHandlers } from '../src/queue/consume/consume-shard.ts';
import type { ReplyWriter } from '../src/queue/consume/reply-writer.ts';
import { encodeFrame } from '../src/queue/frame.ts';
import type { Lane } from '../src/queue/queues.ts';
import type { CallBatch, NumberedCall } from '../src/queue/wire.ts';
import type { RedisClock } from '../src/redis/clock.ts';
import type { RedisConnection } from '../src/redis/connections.ts';
import { batchReads, type StateReader } from '../src/state/batch-reads.ts';
import { type Reservation, reserveTxids } from '../src/state/reserve.ts';
import type { CallLog } from './call-log.ts';
import type { RunningDeliveries } from './delivery/start-deliveries.ts';
import { type Driver, NeedsSlowLane } from './driver.ts';
import type { RetentionKeeper } from './retention.ts';
import { runCall, toProblem, voidCall } from './run-call.ts';
import type { CallOutcome } from './run-context.ts';
import { Slices } from './slices.ts';
import type { StopSignals } from './stop-signals.ts';

export interface CallRunnerOptions {
  state: RedisConnection;
  replies: ReplyWriter;
  clock: RedisClock;
  /** By which calls that may take long are told to stop. */
  signals: StopSignals;
  drivers: ReadonlyMap<string, Driver>;
  data: Pick<DataWatch, 'isLostSince'>;
  tenants: Pick<Tenants, 'find'>;
  callLog: CallLog;
  retention: Pick<RetentionKeeper, 'touch'>;
  /** Told of a workspace once calls that may have changed it have run. */
  deliveries: Pick<RunningDeliveries, 'touch'>;
  log: Logger;
  crashFaults: boolean;
}

/** A batch as it was taken from a lane. */
interface Work {
  batch: CallBatch;
  lane: Lane;
  moveToSlow(call: NumberedCall): Promise<void>;
}

interface Share {
  next: number;
  reservation: Promise<Reservation>;
}

/** Runs the calls of a batch side by side and sends each its reply as soon as it is there. */
export class CallRunner implements CallHandlers {
  private readonly options: CallRunnerOptions;
  private readonly reads: StateReader;
  private readonly never = new AbortController().signal;
  private readonly slices = new Slices();
  private sharedRunning = 0;

  constructor(options: CallRunnerOptions) {
    this.options = options;
    this.reads = batchReads(options.state);
  }

  /** How many calls run that await nothing but Redis. */
  get running(): number {
    return this.sharedRunning;
  }

  async run(batch: CallBatch, lane: Lane, moveToSlow: Work['moveToSlow']): Promise<void> {
    const work = { batch, lane, moveToSlow };
    const live = batch.calls.filter((call) => call.notAfter >= this.options.clock.now());
    const shares = this.reserve(live);
    const counted = lane === 'shared' ? live.length : 0;
    this.sharedRunning += counted;
    await Promise.all(
      live.map((call) => this.runOne(work, call, shares.get(call.workspaceId) as Share)),
    ).finally(() => {
      this.sharedRunning -= counted;
    });
    for (const workspaceId of shares.keys()) this.options.deliveries.touch(workspaceId);
  }

  async findUnrecorded(batch: CallBatch): Promise<NumberedCall[]> {
    const found = await Promise.all(
      batch.calls.map((call) => findRecorded(this.options.state, callEntry(this.options.state, call, batch))),
    );
    const unrecorded: NumberedCall[] = [];
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
      if (recorded === null)
        this.options.log.error({ callId: call.id, method: call.method }, 'gave a call up');
    }
  }

  // The txids are taken before any of the calls reads: each waits for those of its workspace.
  private reserve(calls: NumberedCall[]): Map<string, Share> {
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

  private async runOne(work: Work, call: NumberedCall, share: Share): Promise<void> {
    const startedAt = this.options.clock.now();
    const place = share.next;
    share.next += 1;
    const outcome = await this.outcomeOf(work, call, share, place);
    if (!outcome) return;
    if (outcome.frame !== null) await this.reply(work.batch, call, outcome.frame);
    this.options.callLog.record(call, outcome, startedAt, this.options.clock.now());
  }

  // Null when its time was over before its turn came.
  private async inTurn(
    { notAfter }: NumberedCall,
    run: () => Promise<CallOutcome>,
  ): Promise<CallOutcome | null> {
    const turn = this.slices.next();
    if (turn === undefined) return run();
    await turn;
    return notAfter < this.options.clock.now() ? null : run();
  }

  // Null when the call was handed on, or nobody waits for it any more.
  private async outcomeOf(
    { batch, lane, moveToSlow }: Work,
    call: NumberedCall,
    share: Share,
    place: number,
  ): Promise<CallOutcome | null> {
    const { state, drivers, crashFaults, clock, data, tenants, log, signals } = this.options;
    const startedAt = performance.now();
    const entry = callEntry(state, call, batch);
    try {
      const driver = drivers.get(call.driver);
      if (!driver)
        throw new Problem('unavailable', {
          detail: `No worker runs the driver ${call.driver}.`,
        });
      const { first } = await share.reservation;
      const context = {
        state,
        reads: this.reads,
        driver,
        entry,
        txid: first + place,
        reservation: share.reservation,
        data,
        tenants,
        signal: this.never,
        crashFaults,
        now: clock.now(),
        // A call may have come here from a batch that was interrupted.
        again: lane !== 'shared',
        startedAt,
      };
      if (lane === 'shared') return await this.inTurn(call, () => runCall(call, context, false));
      return await signals.run(call.id, call.notAfter - clock.now(), (signal) =>
        this.inTurn(call, () => runCall(call, { ...context, signal }, true)),
      );
    } catch (error) {
      if (error instanceof NeedsSlowLane) {
        await moveToSlow(call).catch((err) => {
          log.warn({ err, callId: call.id }, 'a call could not be moved to the slow lane');
        });
        return null;
      }
      const problem = toProblem(error, call.method);
      const frame = encodeFrame(problem.status, '', JSON.stringify(problem), problem.options.headers);
      const failure = { frame, status: problem.status, txid: null, error };
      // Of one that cannot be made void nobody is told anything: at its deadline the caller asks the ledger.
      return voidCall(state, entry, failure).catch(() => ({ ...failure, frame: null }));
    }
  }

  // One that Redis refuses must not fail the job, and with it the other calls: the caller asks the ledger in the end.
  private reply(batch: CallBatch, call: NumberedCall, frame: string): Promise<void> {
    return this.options.replies.send(batch.replyTo, call.number, frame).catch((err) => {
      this.options.log.warn({ err, callId: call.id }, 'a reply could not be sent');
    });
  }
}
