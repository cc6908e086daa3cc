import { setTimeout as sleep } from 'node:timers/promises';
import { type CallPlace, countAttempts, noteKilled } from '../src/async-calls/attempt-call.ts';
import { findRunAt } from '../src/async-calls/find-call.ts';
import { placeWaitingCalls } from '../src/async-calls/place-calls.ts';
import type { Accounts } from '../src/directory/accounts.ts';
import type { Tenants } from '../src/directory/tenants.ts';
import type { BackgroundQueue } from '../src/queue/background-queue.ts';
import type { BackgroundSlots } from '../src/queue/consume/background-slots.ts';
import type { RedisClock } from '../src/redis/clock.ts';
import type { RedisConnection } from '../src/redis/connections.ts';
import type { AttemptBooks, AttemptRunner } from './attempt-runner.ts';
import type { CallRunnerOptions } from './call-runner.ts';
import type { LoneProcesses } from './lone-processes.ts';
import type { RetentionKeeper } from './retention.ts';

export interface BackgroundRunnerOptions {
  state: RedisConnection;
  queue: BackgroundQueue;
  accounts: Pick<Accounts, 'find'>;
  tenants: Tenants;
  slots: BackgroundSlots;
  clock: RedisClock;
  attempts: AttemptRunner;
  loneProcesses: Pick<LoneProcesses, 'run'>;
  books: AttemptBooks;
  retention: Pick<RetentionKeeper, 'touch'>;
  deliveries: CallRunnerOptions['deliveries'];
  /** How long an attempt may run. */
  runMs: number;
  /** How many calls that someone waits for run in this process. */
  callersRunning(): number;
}

const CALLERS_FIRST_FROM = 8;
const CALLERS_FIRST_MS = 500;
const LOOK_AGAIN_MS = 10;

// A call that a cap holds up is not kept in the hands of a worker, which has others to run; nor is one that has to wait for a
// process of its own.
const AGAIN_MS = 400;
// A worker may notice a little late that an attempt's time is over.
const LATE_MS = 1_000;

/** Runs calls that nobody waits for: behind those of callers, by their caps, and apart from others where they may be dangerous. */
export class BackgroundRunner {
  private readonly options: BackgroundRunnerOptions;

  constructor(options: BackgroundRunnerOptions) {
    this.options = options;
  }

  /**
   * Makes an attempt at a call, if it is still to be run, and puts those that waited for its place on the queue; null then. While
   * it cannot be run nothing is done, and in how many ms to come again is given.
   */
  async run(place: CallPlace): Promise<number | null> {
    const { accounts, queue, slots, state, runMs, clock } = this.options;
    await this.letCallersPass();
    const caps = (await accounts.find(place.workspaceId, place.accountId))?.caps ?? null;
    const runAt = caps === null ? null : await findRunAt(state, place.workspaceId, place.callId);
    let isOver: boolean;
    if (caps === null || runAt === null) {
      isOver = await this.runNow(place, async () => true);
    } else {
      const takeSlot = () => slots.take(place, caps, runAt, clock.now() + runMs + LATE_MS);
      if (!(await takeSlot())) return againMs();
      // Taken again where the attempt begins later. One that cannot be given back ends by itself.
      isOver = await this.runNow(place, takeSlot).finally(() =>
        slots.free(place, caps).catch(() => undefined),
      );
    }
    if (!isOver) return againMs();
    this.options.deliveries.touch(place.workspaceId);
    await queue.add(await placeWaitingCalls(state, place.workspaceId));
    return null;
  }

  // False for a call that is still to be run.
  private async runNow(place: CallPlace, takeSlot: () => Promise<boolean>): Promise<boolean> {
    const { attempts, retention } = this.options;
    retention.touch(place.workspaceId);
    return (await attempts.run(place, false)) === 'over' || (await this.runAlone(place, takeSlot));
  }

  private async runAlone(place: CallPlace, takeSlot: () => Promise<boolean>): Promise<boolean> {
    const { loneProcesses, tenants, state, books } = this.options;
    const tenant = await tenants.find(place.workspaceId);
    const attempts = await countAttempts(state, place);
    const report = await loneProcesses.run(place, tenant, takeSlot);
    if (report === null) return false;
    if (report === 'died') {
      await noteKilled(state, place, attempts);
      return false;
    }
    if (report.ended !== null) books.ended(report.ended);
    if (report.retried) books.retried();
    return true;
  }

  // Bounded, for a worker that is always busy has to get on with these too.
  private async letCallersPass(): Promise<void> {
    const until = performance.now() + CALLERS_FIRST_MS;
    while (this.options.callersRunning() >= CALLERS_FIRST_FROM && performance.now() < until) {
      await sleep(LOOK_AGAIN_MS);
    }
  }
}

function againMs(): number {
  return AGAIN_MS * (0.5 + Math.random() / 2);
}
