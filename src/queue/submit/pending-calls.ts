import { setTimeout as sleep } from 'node:timers/promises';
import { every, type Repeated } from '../../every.ts';
import { releaseClaim } from '../../ledger/claim.ts';
import type { Logger } from '../../logger.ts';
import { Problem } from '../../problem.ts';
import type { RedisClock } from '../../redis/clock.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { TransientMap } from '../../transient-map.ts';
import { decodeFrame, NO_NOTE, type Reply, type ReplyNote } from '../frame.ts';
import { shardOf } from '../shards.ts';
import type { Admission } from './admission.ts';
import { askLedger } from './ask-ledger.ts';
import { attachTrace } from './attach-trace.ts';
import { type Ending, type EndReason, endProblem } from './call-endings.ts';
import type { Caller, CallRequest, CallStages, PendingCall, SentBatch, Waiter } from './pending-call.ts';
import { toWireCall } from './to-wire-call.ts';
import type { WorkerWatch } from './worker-watch.ts';

export interface PendingCallsOptions {
  redis: RedisConnection;
  clock: RedisClock;
  log: Logger;
  admission: Pick<Admission, 'enter' | 'leave' | 'leaveTurn'>;
  workers: Pick<WorkerWatch, 'isMissing'>;
  /** Whether Redis has lost its data since `moment`. */
  isLostSince(moment: number): Promise<boolean>;
  stages: CallStages;
}

const LOOK_AT_DEADLINES_MS = 25;
const LOOK_WHETHER_DONE_MS = 20;

const ignore = () => {};
type Changing = { -readonly [Member in keyof PendingCall]: PendingCall[Member] };

/**
 * The state machine of calls that someone waits for. Calls are kept oldest first.
 *
 *   state    the call                                           transitions
 *   capped   waits for a slot of its caps                       `admit` to queued
 *   queued   waits for its turn                                 `send` to sent
 *   sent     is in a job: only the ledger tells its fate        `fail` to queued when Redis has not taken the job, and to ended
 *   ended    is answered
 *
 * From any state, `answer` ends a call with a reply. `end` ends it without one: at its deadline, when its caller or its job is gone, and so
 * on. Before a call is sent, `end` decides alone. Afterwards the ledger decides the answer, so that a call that is reported as not run
 * never runs. Several `end`s may be asking the ledger at once; the first answer ends the call.
 *
 * A slot is held from `admit` to the end. Permits of the window are held from `send` to the end, or until `move` or `takePermit`.
 */
export class PendingCalls {
  private readonly options: PendingCallsOptions;
  private readonly calls = new TransientMap<number, PendingCall>();
  private opened = 0;
  private shards = 1;
  private closing = false;
  private capped = 0;
  private slots = 0;
  private late = 0;
  /** The earliest deadline. Calls that have been answered meanwhile still count. */
  private nextDeadline = Number.POSITIVE_INFINITY;
  private looking: Repeated | undefined;
  private readonly cancel = (callNumber: number) => {
    const pending = this.calls.get(callNumber);
    if (pending !== undefined) void this.end(pending, 'canceled');
  };

  constructor(options: PendingCallsOptions) {
    this.options = options;
  }

  /** Starts to enforce deadlines, with one timer for all calls: a timer for each call would cost more. */
  start(): void {
    this.looking = every(LOOK_AT_DEADLINES_MS, () => this.endOverdue());
  }

  /** How many calls hold a slot of their caps. */
  get holdingSlots(): number {
    return this.slots;
  }

  /** How many calls wait for a slot of their caps. */
  get awaitingSlots(): number {
    return this.capped;
  }

  /** The calls that are not answered, oldest first. */
  values(): Iterable<PendingCall> {
    return this.calls.values();
  }

  /** How many replies came for calls that had already ended. */
  get lateReplies(): number {
    return this.late;
  }

  /** Whether new calls are refused. */
  get isClosing(): boolean {
    return this.closing;
  }

  /** Spreads later calls over this many shards. */
  spreadOver(shards: number): void {
    this.shards = shards;
  }

  /**
   * Opens a call and resolves with its reply. Rejects with a `Problem`: `overloaded` at once if too much is under way, `call_timeout` if
   * the call did not run in time and never will, `outcome_unknown` if Redis could not be asked. Once `caller` is gone the call is canceled:
   * if it has not run by then, it never will.
   */
  open(request: CallRequest, caller?: Caller): Promise<Reply> {
    if (this.closing)
      return this.refuse(request, new Problem('shutting_down', { headers: { 'retry-after': '1' } }));
    if (caller?.destroyed) return this.refuse(request, new Problem('canceled'));
    const { lane, bytes, timeoutMs, caps, workspaceId, trace } = request;
    // A call that waits for a cap says nothing about how fast calls are done.
    const inTurn = lane === 'shared' && caps === null;
    const refusal = this.options.admission.enter(request, bytes, inTurn);
    if (refusal !== null) return this.refuse(request, refusal);
    trace?.hop('receive');
    this.opened += 1;
    const call = toWireCall(request, this.opened, Math.floor(this.options.clock.now()));
    return new Promise<Reply>((resolve, reject) => {
      const pending: PendingCall = {
        call,
        workspaceId,
        bytes,
        lane,
        shard: shardOf(workspaceId, this.shards),
        inTurn,
        state: caps === null ? 'queued' : 'capped',
        batch: null,
        hasSlot: false,
        isMoved: false,
        hasPermit: false,
        permits: 1,
        cost: 1,
        deadline: performance.now() + timeoutMs,
        trace,
        resolve,
        reject,
      };
      this.calls.set(call.number, pending);
      this.nextDeadline = Math.min(this.nextDeadline, pending.deadline);
      // Bound to the number alone: what listens stays as long as the caller, and the call with its params must not.
      caller?.on('close', this.cancel.bind(null, call.number));
      if (caps === null) return this.options.stages.queued(pending);
      this.capped += 1;
      this.options.stages.capped(pending, caps);
    });
  }

  /** Queues a capped call: it has a slot, or no cap applies to it any more. */
  admit(pending: PendingCall, hasSlot: boolean): void {
    (pending as Changing).state = 'queued';
    (pending as Changing).hasSlot = hasSlot;
    pending.call.queuedAt = Math.floor(this.options.clock.now());
    pending.trace?.hop('slot');
    this.capped -= 1;
    if (hasSlot) this.slots += 1;
    this.options.stages.queued(pending);
  }

  /** Marks queued calls as sent in a batch. */
  send(calls: readonly PendingCall[], batch: SentBatch): void {
    for (const pending of calls as readonly Changing[]) {
      pending.state = 'sent';
      pending.batch = batch;
      pending.hasPermit = true;
      if (pending.trace !== undefined) attachTrace(pending.call, pending.trace, pending.lane, calls.length);
    }
  }

  /** Ends calls whose job could not be added. With `isRefused` it certainly was not, so that the ledger need not be asked. */
  fail(calls: readonly PendingCall[], isRefused: boolean): void {
    for (const pending of calls as readonly Changing[]) {
      if (isRefused && pending.state === 'sent') {
        pending.state = 'queued';
        pending.batch = null;
      }
      void this.end(pending, 'unavailable');
    }
  }

  /** Notes that a worker has moved a call to the slow lane, where it no longer waits for its turn. */
  move(callNumber: number): void {
    const pending = this.calls.get(callNumber);
    if (pending === undefined || pending.isMoved) return;
    (pending as Changing).isMoved = true;
    if (pending.inTurn) this.options.admission.leaveTurn(pending.workspaceId);
    (pending as Changing).inTurn = false;
    this.options.stages.moved(pending);
  }

  /** Takes the permits from a call; false if it holds none. */
  takePermit(pending: PendingCall): boolean {
    const { hasPermit } = pending;
    (pending as Changing).hasPermit = false;
    return hasPermit;
  }

  /** Ends a call with its reply, unless it has ended. */
  answer(callNumber: number, reply: Reply, { cost, ranUntil }: ReplyNote = NO_NOTE): void {
    const pending = this.calls.get(callNumber);
    if (!pending) {
      this.late += 1;
      return;
    }
    if (cost !== undefined) (pending as Changing).cost = cost;
    if (ranUntil !== undefined) pending.trace?.skip(ranUntil);
    this.finish(pending, 'replied').resolve(reply);
  }

  /** Ends a call without a reply, unless it has ended or the ledger has a reply for it. */
  async end(pending: PendingCall, reason: EndReason): Promise<void> {
    if (pending.state === 'ended') return;
    const { redis, log, workers } = this.options;
    const wasInTime = reason !== 'call_timeout';
    const { call, batch } = pending;
    if (batch === null) {
      const { reject } = this.finish(pending, 'other', wasInTime);
      // The call has not left this process.
      if (call.key) await releaseClaim(redis, call.workspaceId, call.key);
      return reject(endProblem(reason, workers));
    }
    const recorded = await askLedger(redis, pending, batch);
    // Meanwhile it may have been answered.
    if (this.calls.get(call.number) === undefined) return;
    const { resolve, reject } = this.finish(pending, recorded === null ? 'never runs' : 'other', wasInTime);
    if (recorded === null) reject(endProblem(reason, workers));
    else if (recorded !== undefined) resolve(decodeFrame(recorded));
    else {
      log.warn({ callId: call.id, reason }, 'the outcome of a call is unknown');
      reject(new Problem('outcome_unknown'));
    }
  }

  /** Ends a call whose account no longer exists. */
  async endOrphan(pending: PendingCall): Promise<void> {
    const isLost = await this.options.isLostSince(pending.call.acceptedAt);
    await this.end(pending, isLost ? 'unavailable' : 'not_found');
  }

  /** Ends every call. */
  async endAll(reason: EndReason): Promise<void> {
    await Promise.all([...this.calls.values()].map((pending) => this.end(pending, reason)));
  }

  /** Refuses new calls, and waits at most `graceMs` for the open ones. */
  async close(graceMs: number): Promise<void> {
    this.closing = true;
    const until = performance.now() + graceMs;
    while (this.calls.size > 0 && performance.now() < until) await sleep(LOOK_WHETHER_DONE_MS);
    await this.endAll('shutting_down');
    await this.looking?.stop();
  }

  /** Ends a call, and detaches its waiter: what still keeps the ended call, such as its batch, must not keep the reply too. */
  private finish(pending: PendingCall, how: Ending, wasInTime = true): Waiter {
    const changing = pending as Changing;
    if (pending.state === 'capped') this.capped -= 1;
    if (pending.hasSlot) this.slots -= 1;
    const { batch, resolve, reject } = pending;
    if (batch !== null) {
      batch.unanswered -= 1;
      if (batch.unanswered === 0) batch.calls = [];
    }
    changing.state = 'ended';
    changing.resolve = changing.reject = ignore;
    // Its line may keep the call until its turn, when its bytes are no longer counted.
    if (batch === null) pending.call.params = {};
    pending.trace?.hop(how === 'replied' ? 'reply' : 'wait in vain');
    this.calls.delete(pending.call.number);
    const { workspaceId, bytes, inTurn, cost } = pending;
    this.options.admission.leave(workspaceId, bytes, inTurn, wasInTime, cost);
    this.options.stages.ended(pending, how);
    return { resolve, reject };
  }

  private endOverdue(): void {
    const now = performance.now();
    if (now < this.nextDeadline) return;
    this.nextDeadline = Number.POSITIVE_INFINITY;
    for (const pending of this.calls.values()) {
      if (pending.deadline <= now) {
        (pending as Changing).deadline = Number.POSITIVE_INFINITY;
        void this.end(pending, 'call_timeout');
      }
      this.nextDeadline = Math.min(this.nextDeadline, pending.deadline);
    }
  }

  private async refuse({ workspaceId, key }: CallRequest, problem: Problem): Promise<never> {
    if (key) await releaseClaim(this.options.redis, workspaceId, key);
    throw problem;
  }
}
