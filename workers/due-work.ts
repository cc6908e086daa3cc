import { setTimeout as sleep } from 'node:timers/promises';
import {
  DRIVER_WORK,
  isMarkedDue,
  markDue,
  releaseWorkspace,
  takeDueWorkspaces,
} from '../src/async-calls/due-workspaces.ts';
import { every, type Repeated } from '../src/every.ts';
import { newId } from '../src/ids.ts';
import type { Logger } from '../src/logger.ts';
import { decodeFrame } from '../src/queue/frame.ts';
import type { RedisClock } from '../src/redis/clock.ts';
import type { RedisConnection } from '../src/redis/connections.ts';
import { Transaction } from '../src/state/transaction.ts';
import { mayLogLine } from '../src/tenant-lines.ts';
import type { CallRunnerOptions } from './call-runner.ts';
import type { Driver } from './driver.ts';
import type { CallExecutor } from './executor/call-executor.ts';
import type { RetentionKeeper } from './retention.ts';

const EVERY_MS = 500;
const WORKSPACES_AT_ONCE = 10;
const LEASE_MS = 30_000;
const RUN_MS = 10_000;
// When failed work is retried, for example in a full workspace.
const RETRY_MS = 30_000;
// How long a workspace rests for each permit that its work has cost: calls wait for their turn, this does not.
const REST_MS_PER_PERMIT = 10;
// By Redis' own clock, which decides, a rest may end so much later.
const CLOCKS_APART_MS = 100;
const LOOK_AGAIN_MS = 10;

/** No account: the driver knows whose work is due. */
const NO_ACCOUNT = { id: '', userId: 0, bot: false, strictPeers: false, faults: false };

export interface DueWorkOptions {
  redis: RedisConnection;
  executor: CallExecutor;
  clock: RedisClock;
  driver: string;
  retention: Pick<RetentionKeeper, 'touch'>;
  deliveries: CallRunnerOptions['deliveries'];
  log: Logger;
}

/** What an order has cost, in permits, also when it has failed; and when there is more to do, in seconds since the epoch. */
type Done = { cost: number } & ({ next: number | null } | { failure: Error });

/**
 * Lets the driver do work that calls have scheduled, such as sending scheduled messages. Workspaces take turns, with one commit each, and rest
 * after what has cost much. Any number of processes may run it.
 */
export class DueWork {
  private readonly options: DueWorkOptions;
  private working: Repeated | undefined;

  constructor(options: DueWorkOptions) {
    this.options = options;
  }

  /** Starts to look for work, until `stop`. */
  start(): void {
    this.working = every(EVERY_MS, (signal) => this.work(signal), {
      onFailure: (err) => this.options.log.warn({ err }, 'work that is due was not done; trying again'),
      spread: 0.25,
    });
  }

  async stop(): Promise<void> {
    await this.working?.stop();
  }

  private async work(signal: AbortSignal): Promise<void> {
    const { redis, clock } = this.options;
    let again = Number.POSITIVE_INFINITY;
    while (!signal.aborted) {
      const { until, ids } = await takeDueWorkspaces(redis, WORKSPACES_AT_ONCE, LEASE_MS, DRIVER_WORK);
      const nexts = await Promise.all(ids.map((workspaceId) => this.doWorkUntil(workspaceId, until)));
      const restMs = again - clock.now();
      if (ids.length > 0) {
        again = Math.min(restMs > 0 ? again : Number.POSITIVE_INFINITY, ...nexts);
        continue;
      }
      // The next look comes before it, or another process has done it.
      if (restMs > EVERY_MS || restMs < -CLOCKS_APART_MS) return;
      await sleep(Math.max(restMs, LOOK_AGAIN_MS), undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  // Returns when there is more to do; infinity for never.
  private async doWorkUntil(workspaceId: string, until: number): Promise<number> {
    const { redis, clock, log } = this.options;
    const next = await this.doWork(workspaceId).catch((err: unknown) => {
      if (mayLogLine(log, workspaceId))
        log.warn({ err, workspaceId }, 'work of a workspace that is due was not done; trying again');
      return clock.now() + RETRY_MS;
    });
    await releaseWorkspace(redis, workspaceId, until, next, DRIVER_WORK);
    return next ?? Number.POSITIVE_INFINITY;
  }

  // Returns when there is more to do; null for never.
  private async doWork(workspaceId: string): Promise<number | null> {
    const { log } = this.options;
    const tried = await this.order(workspaceId, {});
    if (!('failure' in tried)) return this.afterRest(tried.next, tried.cost);
    if (mayLogLine(log, workspaceId))
      log.warn({ err: tried.failure, workspaceId }, 'work that is due was not done; others have their turn');
    const instead = await this.order(workspaceId, { hasFailed: true });
    if ('failure' in instead) throw instead.failure;
    return this.afterRest(instead.next, tried.cost + instead.cost);
  }

  private afterRest(next: number | null, cost: number): number | null {
    return next === null
      ? null
      : Math.max(next * 1_000, this.options.clock.now() + cost * REST_MS_PER_PERMIT);
  }

  private async order(workspaceId: string, params: object): Promise<Done> {
    const { executor, clock, driver, retention, deliveries } = this.options;
    const acceptedAt = clock.now();
    const order = {
      id: newId('call'),
      number: 0,
      workspaceId,
      account: NO_ACCOUNT,
      driver,
      method: 'doDueWork',
      kind: 'order' as const,
      params,
      acceptedAt,
      notAfter: acceptedAt + RUN_MS,
    };
    const { frame, status, error, cost = 0 } = await executor.runAlone(order, false);
    if (frame === null || status !== 200)
      return { cost, failure: new Error('the order was not carried out', { cause: error }) };
    retention.touch(workspaceId);
    deliveries.touch(workspaceId);
    const { next } = (JSON.parse(decodeFrame(frame).body) as { result: { next: number | null } }).result;
    return { cost, next };
  }
}

/**
 * Marks a workspace again if its driver has work there and no mark. In a cluster the mark lies on another node than the work, and a failover
 * of that node can lose it. A worker that is killed right after it has committed work can leave none, too.
 */
export async function restoreDueWork(
  redis: RedisConnection,
  { findDueWork }: Pick<Driver, 'findDueWork'>,
  workspaceId: string,
): Promise<void> {
  if (await isMarkedDue(redis, workspaceId, DRIVER_WORK)) return;
  const due = await findDueWork?.(new Transaction(redis, workspaceId));
  if (due != null) await markDue(redis, workspaceId, due, DRIVER_WORK);
}
