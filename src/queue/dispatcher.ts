import { LEDGER_GRACE_MS } from '../store/ledger.ts';
import { Backlog } from './backlog.ts';
import type { PendingCall, SentBatch } from './pending-call.ts';
import { JOB_OPTIONS, type LaneQueue } from './queues.ts';
import { type CallBatch, WIRE_VERSION } from './wire.ts';

const ADDS_IN_FLIGHT = 2;
const CALLS_PER_JOB = 64;
const BYTES_PER_JOB = 1024 * 1024;
const WINDOW = 384;
const SLOW_PER_ACCOUNT = 16;

// A call that takes this long no longer counts against the window: something holds it up that must not hold up others.
const OVERDUE_MS = 500;
const OVERDUE_SWEEP_MS = 100;

export interface DispatcherOptions {
  queues: { shared: LaneQueue; slow: LaneQueue };
  bootId: string;
  replyTo: string;
  /** Hears of each call whose submission failed, with an outcome that only the ledger can tell. */
  onLost(pending: PendingCall): void;
}

/**
 * Puts calls on the queues. While two adds are in flight arriving calls gather, and the next job takes them all; with no
 * traffic a job carries one call and nothing waits. Few calls are outstanding in Redis at once, so that whose turn it is gets
 * decided here, late, and not by who came first with many.
 */
export class Dispatcher {
  private readonly options: DispatcherOptions;
  private readonly shared = new Backlog<PendingCall>();
  private readonly slow = new Map<string, { waiting: PendingCall[]; outstanding: number }>();
  private sent: { pending: PendingCall; at: number }[] = [];
  private outstanding = 0;
  private adds = 0;
  private batches = 0;
  private scheduled = false;
  private readonly sweeper: NodeJS.Timeout;

  constructor(options: DispatcherOptions) {
    this.options = options;
    this.sweeper = setInterval(() => this.sweep(), OVERDUE_SWEEP_MS);
    this.sweeper.unref();
  }

  get backlog(): number {
    return this.shared.size;
  }

  push(pending: PendingCall): void {
    if (pending.lane === 'slow') {
      this.pushSlow(pending);
      return;
    }
    this.shared.push(pending);
    this.schedule();
  }

  /** Frees what an answered call held. */
  release(pending: PendingCall): void {
    if (!pending.holdsPlace) return;
    pending.holdsPlace = false;
    if (pending.lane === 'slow') this.releaseSlow(pending);
    else {
      this.outstanding -= 1;
      this.shared.release(pending.workspaceId);
      this.schedule();
    }
  }

  /** Takes a job back whose calls will never run: while no worker is there, jobs would pile up in Redis. */
  drop(lane: PendingCall['lane'], jobId: string): void {
    // One that a worker has taken stays, and finds its calls void.
    this.options.queues[lane].remove(jobId).catch(() => undefined);
  }

  close(): void {
    clearInterval(this.sweeper);
  }

  // After the poll phase: every request that was read in this turn of the event loop is there.
  private schedule(): void {
    if (this.scheduled || this.adds >= ADDS_IN_FLIGHT || this.shared.size === 0) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.pump();
    });
  }

  private pump(): void {
    while (this.adds < ADDS_IN_FLIGHT && this.outstanding < WINDOW && this.shared.size > 0) {
      const room = Math.min(CALLS_PER_JOB, WINDOW - this.outstanding);
      const taken = this.shared.take({
        calls: room,
        bytes: BYTES_PER_JOB,
        window: WINDOW,
      });
      if (taken.length === 0) return;
      const live = taken.filter((pending) => {
        if (pending.done) this.shared.release(pending.workspaceId);
        return !pending.done;
      });
      if (live.length === 0) continue;
      this.outstanding += live.length;
      this.adds += 1;
      void this.add(this.options.queues.shared, live).finally(() => {
        this.adds -= 1;
        this.schedule();
      });
    }
  }

  private async add(queue: LaneQueue, calls: PendingCall[]): Promise<void> {
    this.batches += 1;
    const id = `${this.options.bootId}.${this.batches.toString(36)}`;
    const notAfter = calls.reduce((latest, { call }) => Math.max(latest, call.notAfter), 0);
    const ledgerExpiresAt = notAfter + LEDGER_GRACE_MS;
    const batch: SentBatch = { id, ledgerExpiresAt, unanswered: calls.length };
    const at = performance.now();
    for (const pending of calls) {
      pending.batch = batch;
      pending.holdsPlace = true;
      if (pending.lane === 'shared') this.sent.push({ pending, at });
    }
    const job: CallBatch = {
      v: WIRE_VERSION,
      id,
      ledgerExpiresAt,
      replyTo: this.options.replyTo,
      calls: calls.map(({ call }) => call),
    };
    try {
      // The id makes an `add` that the connection sends twice, after it was cut, one job all the same.
      await queue.add('calls', job, { ...JOB_OPTIONS, jobId: id });
    } catch {
      for (const pending of calls) this.options.onLost(pending);
    }
  }

  private sweep(): void {
    const cut = performance.now() - OVERDUE_MS;
    const overdue = this.sent.findIndex(({ at }) => at > cut);
    const old = overdue === -1 ? this.sent : this.sent.slice(0, overdue);
    this.sent = overdue === -1 ? [] : this.sent.slice(overdue);
    for (const { pending } of old) this.release(pending);
  }

  private pushSlow(pending: PendingCall): void {
    const accountId = pending.call.account.id;
    const line = this.slow.get(accountId) ?? { waiting: [], outstanding: 0 };
    this.slow.set(accountId, line);
    line.waiting.push(pending);
    this.pumpSlow(line);
  }

  private releaseSlow(pending: PendingCall): void {
    const accountId = pending.call.account.id;
    const line = this.slow.get(accountId);
    if (!line) return;
    line.outstanding -= 1;
    this.pumpSlow(line);
    if (line.outstanding === 0 && line.waiting.length === 0) this.slow.delete(accountId);
  }

  private pumpSlow(line: { waiting: PendingCall[]; outstanding: number }): void {
    while (line.outstanding < SLOW_PER_ACCOUNT) {
      const next = line.waiting.shift();
      if (!next) return;
      if (next.done) continue;
      line.outstanding += 1;
      void this.add(this.options.queues.slow, [next]);
    }
  }
}
