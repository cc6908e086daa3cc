import { setTimeout as sleep } from 'node:timers/promises';
import { readAsyncTotals, saveAsyncTotals } from '../../src/async-calls/async-totals.ts';
import { type CallCounts, countCalls } from '../../src/async-calls/count-calls.ts';
import { scanWorkspacesWithCalls } from '../../src/async-calls/due-workspaces.ts';
import { every, type Repeated } from '../../src/every.ts';
import type { Logger } from '../../src/logger.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import { directoryKey } from '../../src/redis/keys.ts';

const LEASE = directoryKey('async-survey');
const EVERY_MS = 5_000;
// Of `EVERY_MS`.
const SPREAD = 0.2;
// Spares Redis: a survey of ten thousand workspaces takes about three seconds.
const PAUSE_MS = 50;

const NO_CALLS: CallCounts = { backlog: 0, oldestMs: 0, later: 0, failed: 0, expired: 0 };

/**
 * Counts the async calls of all workspaces. One worker at a time counts them, and publishes the totals to the others. Counters would add a
 * cost to each commit, and drift.
 */
export class AsyncSurvey {
  private readonly redis: RedisConnection;
  private readonly publish: (totals: CallCounts) => void;
  private readonly log: Logger;
  private surveying: Repeated | undefined;

  constructor(redis: RedisConnection, publish: (totals: CallCounts) => void, log: Logger) {
    this.redis = redis;
    this.publish = publish;
    this.log = log;
  }

  start(everyMs = EVERY_MS): void {
    this.surveying = every(
      everyMs,
      async (signal) => {
        // As long as the shortest pause. It is not released, so that no other worker surveys in this period.
        const leaseMs = Math.round(everyMs * (1 - SPREAD));
        const isMine = await this.redis.set(LEASE, '1', 'PX', leaseMs, 'NX');
        const totals = isMine === null ? null : await this.survey(signal, leaseMs);
        if (totals !== null) await saveAsyncTotals(this.redis, totals);
        this.publish(await readAsyncTotals(this.redis));
      },
      {
        spread: SPREAD,
        atOnce: true,
        onFailure: (err) => this.log.warn({ err }, 'async calls were not counted; trying again'),
      },
    );
  }

  async stop(): Promise<void> {
    await this.surveying?.stop().catch(() => undefined);
  }

  // Null if stopped before the end.
  private async survey(signal: AbortSignal, leaseMs: number): Promise<CallCounts | null> {
    const totals = { ...NO_CALLS };
    // A scan may return a workspace twice.
    const counted = new Set<string>();
    for await (const ids of scanWorkspacesWithCalls(this.redis)) {
      const others = ids.filter((id) => !counted.has(id));
      const counts = await Promise.all(others.map((id) => countCalls(this.redis, id)));
      for (const count of counts) {
        totals.oldestMs = Math.max(totals.oldestMs, count.oldestMs);
        totals.backlog += count.backlog;
        totals.later += count.later;
        totals.failed += count.failed;
        totals.expired += count.expired;
      }
      for (const id of others) counted.add(id);
      if (signal.aborted) return null;
      await this.redis.pexpire(LEASE, leaseMs);
      await sleep(PAUSE_MS, undefined, { ref: false });
    }
    return totals;
  }
}
