import { restoreMark } from '../src/async-calls/restore-mark.ts';
import { iterateWorkspaceIds } from '../src/directory/iterate-members.ts';
import { every, type Repeated } from '../src/every.ts';
import type { Logger } from '../src/logger.ts';
import type { RedisConnection } from '../src/redis/connections.ts';
import { updatesKey } from '../src/redis/keys.ts';
import { forgetGoneKeys } from '../src/state/workspace-keys.ts';
import { type Retention, trimUpdates } from '../src/updates/trim-updates.ts';
import { ByteMeasurer } from './byte-measurer.ts';
import { EVERY_MS } from './measure-bytes.ts';

const TRIM_EVERY_MS = 10_000;
const SWEEP_EVERY_MS = 30 * 60_000;
const SPREAD = 0.2;
// Every worker sweeps all workspaces: what one has measured, the others need not.
const SWEPT_EVERY_MS = SWEEP_EVERY_MS / 2;

/**
 * Trims update streams to their retention: every ten seconds those of workspaces whose calls this worker has run, and every half hour all,
 * as updates also age in quiet workspaces. Commits do not trim. Afterwards the bytes of these workspaces are measured; in a sweep, only of
 * those that no worker has measured for a quarter of an hour. The half-hourly sweep also removes names of deleted keys from the workspaces'
 * indexes, and restores lost marks of workspaces with async calls, and with whatever else `restore` is for.
 */
export class RetentionKeeper {
  private readonly redis: RedisConnection;
  private readonly retention: Retention;
  private readonly log: Logger;
  private readonly restore: (workspaceId: string) => Promise<void>;
  private readonly measurer: ByteMeasurer;
  private touched = new Set<string>();
  private longest = 0;
  private trimming: Repeated | undefined;

  /** `restore` is called for each workspace of the half-hourly sweep. */
  constructor(
    redis: RedisConnection,
    retention: Retention,
    log: Logger,
    restore: RetentionKeeper['restore'] = async () => undefined,
  ) {
    this.redis = redis;
    this.retention = retention;
    this.log = log;
    this.restore = restore;
    this.measurer = new ByteMeasurer(redis, log);
  }

  /** The length of the longest stream in the last trim. */
  get longestStream(): number {
    return this.longest;
  }

  /** Says that a workspace's stream may have grown. */
  touch(workspaceId: string): void {
    this.touched.add(workspaceId);
  }

  /** Starts to trim, until `stop`. */
  start({ trimEveryMs = TRIM_EVERY_MS, sweepEveryMs = SWEEP_EVERY_MS } = {}): void {
    // Jitter, so that not all workers sweep at the same time.
    const sweepPauseMs = sweepEveryMs * (1 - SPREAD + 2 * SPREAD * Math.random());
    let sweepAt = performance.now() + sweepPauseMs;
    this.trimming = every(
      trimEveryMs,
      async (signal) => {
        const { touched } = this;
        this.touched = new Set();
        const isSweep = performance.now() >= sweepAt;
        await this.trimAll(touched, isSweep, signal);
        // Only now: a sweep that fails is repeated. Not `+=`: after an outage, one sweep makes up for all that were missed.
        if (isSweep) sweepAt = performance.now() + sweepPauseMs;
      },
      {
        onFailure: (err) => this.log.warn({ err }, 'update streams were not trimmed; trying again later'),
        spread: SPREAD,
      },
    );
  }

  stop(): void {
    void this.trimming?.stop();
    this.measurer.stop();
  }

  private async trimAll(touched: ReadonlySet<string>, isSweep: boolean, signal: AbortSignal): Promise<void> {
    let longest = 0;
    let failed = 0;
    let failure: unknown;
    for await (const id of isSweep ? iterateWorkspaceIds(this.redis) : touched) {
      signal.throwIfAborted();
      try {
        longest = Math.max(longest, await this.trimOne(id, isSweep));
        this.measurer.add(id, touched.has(id) ? EVERY_MS : SWEPT_EVERY_MS);
      } catch (err) {
        // The others are trimmed all the same.
        this.touched.add(id);
        failed += 1;
        failure = err;
      }
    }
    this.longest = longest;
    if (failed > 0)
      this.log.warn({ err: failure, failed }, 'update streams were not trimmed; trying again later');
  }

  // Returns the length of the stream.
  private async trimOne(id: string, isSweep: boolean): Promise<number> {
    await trimUpdates(this.redis, id, this.retention);
    const length = await this.redis.xlen(updatesKey(id));
    if (isSweep) {
      await forgetGoneKeys(this.redis, id);
      await restoreMark(this.redis, id);
      await this.restore(id);
    }
    return length;
  }
}
