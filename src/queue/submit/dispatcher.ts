import { every, type Repeated } from '../../every.ts';
import { LEDGER_GRACE_MS } from '../../ledger/retention.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { watchForRefusal } from '../../redis/failure.ts';
import { STOP_CHANNEL } from '../../redis/keys.ts';
import { untilReconnected } from '../../redis/until-reconnected.ts';
import { withMembers } from '../../with-members.ts';
import { JOB_OPTIONS, type LaneQueue, openQueue, ownJobIds } from '../queues.ts';
import { type CallBatch, WIRE_VERSION, waitsSince } from '../wire.ts';
import type { Ending } from './call-endings.ts';
import type { PendingCall, SentBatch } from './pending-call.ts';
import type { PendingCalls } from './pending-calls.ts';
import { SentCalls } from './sent-calls.ts';
import { Backlog } from './window/backlog.ts';
import { WINDOW } from './window/divide-window.ts';
import { WindowSharer, type WindowSharerOptions } from './window/window-sharer.ts';

const ADDS_IN_FLIGHT = 2;
// A job of many long-running calls would keep one worker busy while others have nothing to do. So the window is split into at least this
// many jobs, and into two for each worker: one that runs, and one to run next.
const JOBS_MIN = 4;
const JOBS_PER_WORKER = 2;
const WORTHWHILE_SHARE = 1 / 3;
const BYTES_PER_JOB = 96 * 1024;

// With at least `BUSY` outstanding calls, or as many waiting as this process has permits, a job waits until a third of the permits has come
// or gone (`WORTHWHILE_SHARE`), but no longer than a part of the time that calls take anyway. Jobs of a few calls each would halve the
// throughput of all processes. While there are few workspaces, one with nothing outstanding waits for `EARLY_EVERY_MS` at most.
const BUSY = 32;
const HOLD_SHARE = 1 / 4;
const HOLD_MAX_MS = 30;
// The least time between two early jobs for workspaces with nothing outstanding.
const EARLY_EVERY_MS = 5;

const SWEEP_MS = 100;

export interface DispatcherOptions extends WindowSharerOptions {
  queueConnection: RedisConnection;
  replyTo: string;
  calls: Pick<PendingCalls, 'send' | 'fail' | 'takePermit'>;
}

/**
 * Puts calls on the queues of a shard. While two adds are in flight, arriving calls wait, and the next job takes them all. Without traffic
 * a job carries one call and nothing waits. Only few calls are outstanding in Redis at once. So turns are decided here, late, and not by
 * who sent many calls first.
 */
export class Dispatcher {
  private readonly options: DispatcherOptions;
  private readonly queues: { shared: LaneQueue; slow: LaneQueue };
  private readonly batchPrefix: string;
  private readonly shared = new Backlog<PendingCall>(WINDOW);
  private readonly sent = new SentCalls();
  private readonly sharer: WindowSharer;
  private adds = 0;
  private batches = 0;
  private scheduled = false;
  private heldSince: number | null = null;
  private heldUntil = 0;
  private earlyAt = Number.NEGATIVE_INFINITY;
  private holdTimer: NodeJS.Timeout | undefined;
  private readonly sweeping: Repeated;

  constructor(options: DispatcherOptions) {
    const { shard, queueConnection, processName } = options;
    this.options = options;
    this.queues = {
      shared: openQueue('shared', queueConnection, shard, WIRE_VERSION),
      slow: openQueue('slow', queueConnection, shard, WIRE_VERSION),
    };
    this.batchPrefix = shard === 0 ? processName : `${processName}-${shard + 1}`;
    this.sharer = new WindowSharer(options, this.shared);
    this.sweeping = every(SWEEP_MS, () => this.sweep());
  }

  start(): void {
    this.sharer.start();
  }

  get backlog(): number {
    return this.shared.size;
  }

  waitingOf(workspaceId: string): number {
    return this.shared.waitingOf(workspaceId);
  }

  get outstanding(): number {
    return this.shared.outstanding;
  }

  get permits(): number {
    return this.shared.permits;
  }

  /** When the call that has waited longest began to wait, by Redis' clock; null if none waits. */
  get oldestWaitsSince(): number | null {
    let oldest: number | null = null;
    for (const { call } of this.shared.heads())
      if (oldest === null || waitsSince(call) < oldest) oldest = waitsSince(call);
    return oldest;
  }

  push(pending: PendingCall): void {
    if (pending.lane === 'slow') {
      void this.add(this.queues.slow, [pending]);
      return;
    }
    this.shared.push(pending);
    this.schedule();
  }

  /** Frees the permits and the job of an ended call. */
  leave(pending: PendingCall, how: Ending): void {
    const { batch } = pending;
    if (how === 'replied' && !isSlow(pending) && batch !== null) {
      this.noteAnswer(batch, pending.cost);
      this.shared.costs.note(pending.workspaceId, pending.cost);
    }
    this.release(pending);
    if (batch === null) this.shared.noteEnded(pending);
    else if (how === 'never runs') this.drop(pending, batch);
  }

  /** Frees the permits of a call that a worker has moved to the slow lane. */
  move(pending: PendingCall): void {
    if (pending.batch !== null) this.noteAnswer(pending.batch, pending.permits);
    this.release(pending);
  }

  async close(): Promise<void> {
    await this.sweeping.stop();
    clearTimeout(this.holdTimer);
    await this.sharer.stop();
    await Promise.all([this.queues.shared.close(), this.queues.slow.close()]);
  }

  private release(pending: PendingCall): void {
    if (!this.options.calls.takePermit(pending) || pending.lane === 'slow') return;
    this.shared.release(pending);
    this.schedule();
  }

  private noteAnswer({ sentAt }: SentBatch, cost: number): void {
    this.sent.noteAnswer(sentAt);
    this.sharer.noteAnswer(cost);
  }

  private drop(pending: PendingCall, { id, unanswered }: SentBatch): void {
    const { lane, call, isMoved } = pending;
    // Without a worker, jobs would pile up in Redis. A job that a worker has taken cannot be removed; the worker finds its calls void.
    if (unanswered === 0) this.queues[lane].remove(id).catch(() => undefined);
    if (isMoved) for (const own of ownJobIds(call.id)) this.queues.slow.remove(own).catch(() => undefined);
    // Otherwise a call that waits for something would keep its worker's permit. A worker that misses this message stops the call at its
    // deadline.
    if (isSlow(pending)) this.options.redis.spublish(STOP_CHANNEL, call.id).catch(() => undefined);
  }

  // Runs after the poll phase, when every request of this turn of the event loop has been read.
  private schedule(): void {
    if (this.scheduled || this.adds >= ADDS_IN_FLIGHT || this.shared.size === 0) return;
    if (this.holdTimer !== undefined && this.mayWait && !this.holdEndsTooLate) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.pump();
    });
  }

  private pump(): void {
    while (this.adds < ADDS_IN_FLIGHT) {
      if (!this.isTimeToSend()) return;
      const jobs = Math.max(JOBS_MIN, this.options.workers.count * JOBS_PER_WORKER);
      const permits = Math.ceil(this.shared.window / jobs);
      const taken = this.shared.take({ permits, bytes: BYTES_PER_JOB });
      if (taken.length === 0) return;
      this.adds += 1;
      void this.add(this.queues.shared, taken).finally(() => {
        this.adds -= 1;
        this.schedule();
      });
    }
  }

  private get mayWait(): boolean {
    const { outstanding, size, turnover, window, permits } = this.shared;
    const most = Math.min(window, permits);
    return (outstanding >= BUSY || size >= most) && turnover < most * WORTHWHILE_SHARE && !this.mayLeaveEarly;
  }

  private get mayLeaveEarly(): boolean {
    return this.shared.hasNewcomer && performance.now() - this.earlyAt >= EARLY_EVERY_MS;
  }

  // Of the hold whose timer is set: it may have begun before the newcomer came.
  private get holdEndsTooLate(): boolean {
    return this.shared.hasNewcomer && this.heldUntil > this.earlyAt + EARLY_EVERY_MS;
  }

  // Whether a job is to be sent now. Otherwise it is held, and tried again when the hold is over.
  private isTimeToSend(): boolean {
    const now = performance.now();
    if (this.mayLeaveEarly) this.earlyAt = now;
    else if (this.mayWait) {
      this.heldSince ??= now;
      const end = this.heldSince + Math.min(HOLD_MAX_MS, this.sent.answerMs * HOLD_SHARE);
      const until = this.shared.hasNewcomer ? Math.min(end, this.earlyAt + EARLY_EVERY_MS) : end;
      if (until > now) {
        this.hold(now, until);
        return false;
      }
    }
    this.heldSince = null;
    clearTimeout(this.holdTimer);
    this.holdTimer = undefined;
    return true;
  }

  private hold(now: number, until: number): void {
    if (this.holdTimer !== undefined && this.heldUntil <= until) return;
    clearTimeout(this.holdTimer);
    this.heldUntil = until;
    this.holdTimer = setTimeout(() => {
      this.holdTimer = undefined;
      this.schedule();
    }, until - now);
  }

  private async add(queue: LaneQueue, calls: PendingCall[]): Promise<void> {
    this.batches += 1;
    const id = `${this.batchPrefix}.${this.batches.toString(36)}`;
    const notAfter = calls.reduce((latest, { call }) => Math.max(latest, call.notAfter), 0);
    const ledgerExpiresAt = notAfter + LEDGER_GRACE_MS;
    const batch: SentBatch = {
      id,
      ledgerExpiresAt,
      unanswered: calls.length,
      sentAt: performance.now(),
      calls: queue === this.queues.shared ? [...calls] : [],
    };
    this.options.calls.send(calls, batch);
    if (queue === this.queues.shared) this.sent.add(batch);
    const job: CallBatch = {
      v: WIRE_VERSION,
      id,
      ledgerExpiresAt,
      replyTo: this.options.replyTo,
      calls: calls.map(({ call }) => call),
    };
    const { queueConnection } = this.options;
    if (!(await untilReconnected(queueConnection))) return this.options.calls.fail(calls, true);
    const isRefusal = watchForRefusal(queueConnection);
    try {
      // The id makes `add` idempotent: a connection that was cut may send it twice.
      await queue.add('calls', job, withMembers(JOB_OPTIONS, { jobId: id }));
    } catch (error) {
      this.options.calls.fail(calls, isRefusal(error));
    }
  }

  private sweep(): void {
    for (const pending of this.sent.takeStalled(performance.now())) this.release(pending);
    // A workspace whose calls were costly may send again once it has paid for them, and no event marks that.
    this.schedule();
  }
}

function isSlow({ lane, isMoved }: PendingCall): boolean {
  return lane === 'slow' || isMoved;
}
