import { randomBytes } from 'node:crypto';
import { auditListOf } from '../../src/control/audit.ts';
import type { MessengerAccount } from '../../src/directory/collections.ts';
import { deleteRecord } from '../../src/directory/delete-record.ts';
import {
  type Deletion,
  endDeletionTurn,
  forgetDeletion,
  postponeDeletion,
  renewDeletionLease,
  takeDeletion,
} from '../../src/directory/deletions.ts';
import { every, type Repeated } from '../../src/every.ts';
import type { Logger } from '../../src/logger.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import { eraseLines } from '../../src/webhooks/line-keys.ts';
import { endCallsOf } from './end-calls.ts';
import { drainView, eraseRecords } from './erase-records.ts';
import { eraseWebhooks } from './erase-webhooks.ts';
import { eraseWorkspace } from './erase-workspace.ts';
import { forgetPauses } from './forget-pauses.ts';
import { Interrupted, openPace, type Pace } from './slices.ts';

const EVERY_MS = 500;
const LEASE_MS = 10_000;
const RETRY_MS = 30_000;
// Not after each deletion: all that wait of its organization are moved behind those of others then.
const TURN_MS = 1_000;
// Longer than an order to disconnect an account may run.
const KEPT_MS_MAX = 60_000;

/**
 * Erases the data of deletions: one deletion at a time over all processes, in slices. Organizations take turns of about a second. One
 * process goes on until nothing is due; any can continue where another one stopped.
 */
export class Eraser {
  private readonly redis: RedisConnection;
  private readonly log: Logger;
  private readonly holder = randomBytes(9).toString('base64url');
  private erasing: Repeated | undefined;
  private forgetting: Repeated | undefined;
  private keptAt = 0;
  private leaseMs = LEASE_MS;
  private turnMs = TURN_MS;
  /** How long this process has worked for organizations since their last turn ended, in ms. */
  private readonly used = new Map<string, number>();

  private readonly disconnect: (account: MessengerAccount) => Promise<void>;
  private readonly callCanceled: () => void;

  /** `disconnect` disconnects an account from its driver; `callCanceled` is called for each async call that is canceled. */
  constructor(
    redis: RedisConnection,
    log: Logger,
    disconnect: Eraser['disconnect'] = async () => undefined,
    callCanceled: Eraser['callCanceled'] = () => undefined,
  ) {
    this.disconnect = disconnect;
    this.callCanceled = callCanceled;
    this.redis = redis;
    this.log = log;
  }

  /** Starts to look for deletions, and for pauses of records that were deleted `pausesMs` ago, until `stop`. */
  start({
    everyMs = EVERY_MS,
    pausesMs,
    leaseMs = LEASE_MS,
    turnMs = TURN_MS,
  }: {
    everyMs?: number;
    pausesMs?: number;
    leaseMs?: number;
    turnMs?: number;
  } = {}): void {
    this.leaseMs = leaseMs;
    this.turnMs = turnMs;
    this.forgetting = forgetPauses(this.redis, this.log, pausesMs);
    this.erasing = every(everyMs, (signal) => this.eraseAll(signal), {
      onFailure: (err) => this.log.warn({ err }, 'no deletion could be taken; trying again'),
      spread: 0.25,
      atOnce: true,
    });
  }

  /** Stops after the current slice. */
  async stop(): Promise<void> {
    await Promise.all([this.erasing?.stop(), this.forgetting?.stop()]);
    await renewDeletionLease(this.redis, this.holder, 0).catch(() => undefined);
  }

  private async eraseAll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) if (!(await this.eraseNext(signal))) break;
    this.used.clear();
  }

  private async eraseNext(signal: AbortSignal): Promise<boolean> {
    const taken = await takeDeletion(this.redis, this.holder, this.leaseMs);
    if (taken === null) return false;
    const takenAt = performance.now();
    this.keptAt = takenAt;
    const { deletion, organizationId, now } = taken;
    const { id } = deletion.record;
    try {
      const isDone = await this.erase(
        deletion,
        now,
        openPace(() => this.mayGoOn(signal)),
      );
      if (isDone && now >= deletion.overAt) {
        await forgetDeletion(this.redis, deletion);
        this.log.info({ collection: deletion.collection, id }, 'deletion done');
      } else if (isDone) await postponeDeletion(this.redis, id, deletion.overAt);
    } catch (err) {
      if (err instanceof Interrupted) return false;
      this.log.warn({ err, id }, 'a deletion was not done; trying again later');
      await postponeDeletion(this.redis, id, now + RETRY_MS);
    }
    await this.countTurn(organizationId, performance.now() - takenAt);
    return true;
  }

  private async countTurn(organizationId: string, tookMs: number): Promise<void> {
    const used = (this.used.get(organizationId) ?? 0) + tookMs;
    this.used.set(organizationId, used);
    if (used < this.turnMs) return;
    this.used.delete(organizationId);
    await endDeletionTurn(this.redis, organizationId);
  }

  private async mayGoOn(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (performance.now() - this.keptAt < this.leaseMs / 5) return true;
    this.keptAt = performance.now();
    return renewDeletionLease(this.redis, this.holder, this.leaseMs);
  }

  // An order to a driver may take longer than the lease, and has no slices. It ends in half a minute, unless its driver hangs.
  private async keepLease(act: () => Promise<void>): Promise<void> {
    const until = performance.now() + KEPT_MS_MAX;
    const renew = async () => {
      if (performance.now() < until) await renewDeletionLease(this.redis, this.holder, this.leaseMs);
    };
    const keeping = every(this.leaseMs / 5, renew, { onFailure: () => undefined });
    await act().finally(() => keeping.stop());
  }

  // False if it gave way to other deletions before it was done.
  private async erase(deletion: Deletion, now: number, pace: Pace): Promise<boolean> {
    const { redis } = this;
    const { collection, record, overAt } = deletion;
    const since = performance.now();
    switch (collection) {
      case 'organizations':
        await drainView(redis, 'workspaces', `organization:${record.id}`, pace, (workspace) =>
          deleteRecord(redis, 'workspaces', workspace, { children: 'erase', overAt }),
        );
        await redis.unlink(auditListOf(record.id));
        await eraseRecords(redis, 'api-keys', `organization:${record.id}`, pace);
        return true;
      case 'workspaces':
        await eraseWorkspace(redis, record, now >= overAt, pace);
        return true;
      case 'messenger-accounts':
        await this.keepLease(() => this.disconnect(record));
        return true;
      case 'webhooks':
        await eraseLines(redis, record);
        return true;
      case 'api-keys':
        await eraseRecords(redis, 'api-keys', `key:${record.id}`, pace);
        await eraseWebhooks(redis, `key:${record.id}`, pace);
        return endCallsOf(
          redis,
          record,
          { now: () => now + performance.now() - since, canceled: this.callCanceled },
          pace,
        );
    }
  }
}
