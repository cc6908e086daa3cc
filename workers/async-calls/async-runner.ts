import { setTimeout as sleep } from 'node:timers/promises';
import { type CallRef, countAttempts, recordKill } from '../../src/async-calls/attempt-call.ts';
import { findRunAt } from '../../src/async-calls/find-call.ts';
import { holdCall, isPaused } from '../../src/async-calls/held-calls.ts';
import { placeWaitingCalls } from '../../src/async-calls/place-calls.ts';
import type { Control } from '../../src/control/control.ts';
import type { Accounts } from '../../src/directory/accounts.ts';
import type { Tenants } from '../../src/directory/tenants.ts';
import type { AsyncQueue } from '../../src/queue/async-queue.ts';
import type { AsyncSlots } from '../../src/queue/consume/async-slots.ts';
import type { Tenant } from '../../src/queue/lane-shares.ts';
import type { RedisClock } from '../../src/redis/clock.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import type { CallRunnerOptions } from '../call-runner.ts';
import type { RetentionKeeper } from '../retention.ts';
import type { AttemptListener, AttemptRunner } from './attempt-runner.ts';
import type { LoneProcesses } from './lone-processes.ts';
import { PollPacer } from './poll-pacer.ts';

export interface AsyncRunnerOptions {
  state: RedisConnection;
  queue: AsyncQueue;
  accounts: Pick<Accounts, 'find'>;
  control: Pick<Control, 'pauses' | 'round'>;
  tenants: Tenants;
  slots: AsyncSlots;
  clock: RedisClock;
  attempts: AttemptRunner;
  loneProcesses: Pick<LoneProcesses, 'run'>;
  listener: AttemptListener;
  retention: Pick<RetentionKeeper, 'touch'>;
  deliveries: CallRunnerOptions['deliveries'];
  /** How long an attempt may run. */
  runMs: number;
  /** How many sync calls run in this process. */
  syncCallsRunning(): number;
}

const CALLERS_FIRST_FROM = 8;
const CALLERS_FIRST_MS = 500;
const POLL_MS = 10;

// A worker may notice the end of an attempt's time a little late.
const LATE_MS = 1_000;

/** Runs async calls: after sync calls, under their caps, and in a process of their own if they are suspected to kill it. */
export class AsyncRunner {
  private readonly options: AsyncRunnerOptions;
  // A call that waits for a slot, or for a process of its own, goes back to the queue, so that it does not block the worker.
  private readonly pacer = new PollPacer();
  private count = 0;

  constructor(options: AsyncRunnerOptions) {
    this.options = options;
  }

  /** How many calls run now, with those in processes of their own. */
  get running(): number {
    return this.count;
  }

  /**
   * Makes an attempt at a call, unless it has ended, and then queues the calls that waited for it. Returns null if that is done, else the
   * ms after which to try again.
   */
  async run(ref: CallRef): Promise<number | null> {
    const { accounts, control, slots, state, runMs, clock, tenants } = this.options;
    await this.yieldToSyncCalls();
    const polledAt = performance.now();
    // Read before the pauses: if a resume comes in between, the call is released again.
    const { round } = control;
    if (await isPaused(state, control.pauses, ref)) {
      await holdCall(state, ref, { round, now: clock.now() });
      await this.placeWaiting(ref.workspaceId);
      return null;
    }
    const caps = (await accounts.find(ref.workspaceId, ref.accountId))?.caps ?? null;
    const runAt = caps === null ? null : await findRunAt(state, ref.workspaceId, ref.callId);
    const tenant = await tenants.find(ref.workspaceId);
    const pauseMs = this.pacer.pauseMs(tenant);
    let isOver: boolean;
    if (caps === null || runAt === null) {
      isOver = await this.runNow(ref, tenant, async () => true);
    } else {
      const takeSlot = () => slots.take(ref, caps, { runAt, endsAt: clock.now() + runMs + LATE_MS, pauseMs });
      if (!(await takeSlot())) {
        this.pacer.count(tenant, performance.now() - polledAt);
        return pauseMs;
      }
      // If the attempt starts later, it takes the slot again. A slot that cannot be given back expires.
      isOver = await this.runNow(ref, tenant, takeSlot).finally(() =>
        slots.free(ref, caps).catch(() => undefined),
      );
    }
    if (!isOver) {
      this.pacer.count(tenant, 0);
      return pauseMs;
    }
    this.options.deliveries.touch(ref.workspaceId);
    await this.placeWaiting(ref.workspaceId);
    return null;
  }

  private async placeWaiting(workspaceId: string): Promise<void> {
    const { control, queue, state } = this.options;
    if (!control.pauses.holdsAll(workspaceId)) await queue.add(await placeWaitingCalls(state, workspaceId));
  }

  // False if the call is still to be run.
  private async runNow(ref: CallRef, tenant: Tenant, takeSlot: () => Promise<boolean>): Promise<boolean> {
    this.options.retention.touch(ref.workspaceId);
    this.count += 1;
    try {
      return (await this.runHere(ref)) || (await this.runAlone(ref, tenant, takeSlot));
    } finally {
      this.count -= 1;
    }
  }

  // False if the call has to run alone.
  private async runHere(ref: CallRef): Promise<boolean> {
    return (await this.options.attempts.run(ref, false)) === 'over';
  }

  private async runAlone(ref: CallRef, tenant: Tenant, takeSlot: () => Promise<boolean>): Promise<boolean> {
    const { loneProcesses, state, listener } = this.options;
    const attempts = await countAttempts(state, ref);
    const report = await loneProcesses.run(ref, tenant, takeSlot);
    if (report === null) return false;
    if (report === 'died') {
      await recordKill(state, ref, attempts);
      return false;
    }
    if (report.ended !== null) listener.ended(report.ended);
    if (report.retried) listener.retried();
    if (!report.waits) return true;
    // Its slot lasts only for the attempt that it has left.
    return (await takeSlot()) && this.runHere(ref);
  }

  // Bounded: async calls must progress on a worker that is always busy, too.
  private async yieldToSyncCalls(): Promise<void> {
    const until = performance.now() + CALLERS_FIRST_MS;
    while (this.options.syncCallsRunning() >= CALLERS_FIRST_FROM && performance.now() < until) {
      await sleep(POLL_MS);
    }
  }
}
