import { DRIVER_WORK, releaseWorkspace, takeDueWorkspaces } from '../src/async-calls/due-workspaces.ts';
import { every, type Repeated } from '../src/every.ts';
import { newId } from '../src/ids.ts';
import type { Logger } from '../src/logger.ts';
import { decodeFrame } from '../src/queue/frame.ts';
import type { RedisClock } from '../src/redis/clock.ts';
import type { RedisConnection } from '../src/redis/connections.ts';
import type { CallRunnerOptions } from './call-runner.ts';
import type { CallExecutor } from './executor/call-executor.ts';
import type { RetentionKeeper } from './retention.ts';

const EVERY_MS = 500;
const WORKSPACES_AT_ONCE = 10;
const LEASE_MS = 30_000;
const RUN_MS = 10_000;
// When failed work is retried, for example in a full workspace.
const RETRY_MS = 30_000;

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

/**
 * Lets the driver do work that calls have scheduled, such as sending scheduled messages. Workspaces take turns, with one commit each. Any
 * number of processes may run it.
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
    const { redis, clock, log } = this.options;
    while (!signal.aborted) {
      const { until, ids } = await takeDueWorkspaces(redis, WORKSPACES_AT_ONCE, LEASE_MS, DRIVER_WORK);
      if (ids.length === 0) return;
      const looks = ids.map(async (workspaceId) => {
        const next = await this.doWork(workspaceId).catch((err: unknown) => {
          log.warn({ err, workspaceId }, 'work of a workspace that is due was not done; trying again');
          return clock.now() + RETRY_MS;
        });
        await releaseWorkspace(redis, workspaceId, until, next, DRIVER_WORK);
      });
      await Promise.all(looks);
    }
  }

  // Returns when there is more to do; null for never.
  private async doWork(workspaceId: string): Promise<number | null> {
    return this.order(workspaceId, {}).catch((err: unknown) => {
      this.options.log.warn({ err, workspaceId }, 'work that is due was not done; others have their turn');
      return this.order(workspaceId, { hasFailed: true });
    });
  }

  private async order(workspaceId: string, params: object): Promise<number | null> {
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
    const { frame, status, error } = await executor.runAlone(order, false);
    if (frame === null || status !== 200) throw new Error('the order was not carried out', { cause: error });
    retention.touch(workspaceId);
    deliveries.touch(workspaceId);
    const { next } = (JSON.parse(decodeFrame(frame).body) as { result: { next: number | null } }).result;
    return next === null ? null : next * 1_000;
  }
}
