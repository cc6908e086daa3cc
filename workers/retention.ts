import { setTimeout as sleep } from 'node:timers/promises';
import { iterateWorkspaceIds } from '../src/directory/workspace-ids.ts';
import type { Logger } from '../src/logger.ts';
import type { RedisConnection } from '../src/redis/connections.ts';
import { forgetGoneKeys } from '../src/state/workspace-keys.ts';
import { type Retention, trimUpdates } from '../src/updates/trim-updates.ts';
import { ByteMeasurer } from './byte-measurer.ts';

const TRIM_EVERY_MS = 10_000;
const SWEEP_EVERY_MS = 30 * 60_000;

/**
 * Keeps update streams within their retention: every ten seconds those of the workspaces that this worker has run calls for, and
 * every half hour those of all, for in a quiet one updates grow old too. Commits have nothing to do with it. Then
 * it has measured what these workspaces keep. Every half hour it also has names of keys that are gone forgotten.
 */
export class RetentionKeeper {
  private readonly redis: RedisConnection;
  private readonly retention: Retention;
  private readonly log: Logger;
  private readonly stopping = new AbortController();
  private readonly measurer: ByteMeasurer;
  private touched = new Set<string>();

  constructor(redis: RedisConnection, retention: Retention, log: Logger) {
    this.redis = redis;
    this.retention = retention;
    this.log = log;
    this.measurer = new ByteMeasurer(redis, log, this.stopping.signal);
  }

  /** Says that a workspace's stream may have grown. */
  touch(workspaceId: string): void {
    this.touched.add(workspaceId);
  }

  /** Begins to trim; it goes on until `stop`. */
  start({ trimEveryMs = TRIM_EVERY_MS, sweepEveryMs = SWEEP_EVERY_MS } = {}): void {
    this.keepTrimming(trimEveryMs, sweepEveryMs).catch((err) => {
      if (!this.stopping.signal.aborted) this.log.error({ err }, 'update streams are no longer trimmed');
    });
  }

  stop(): void {
    this.stopping.abort();
  }

  private async keepTrimming(trimEveryMs: number, sweepEveryMs: number): Promise<void> {
    // Not all workers at the same time.
    const spread = 0.8 + Math.random() * 0.4;
    const { signal } = this.stopping;
    for (let sweepAt = performance.now() + sweepEveryMs * spread; ; ) {
      await sleep(trimEveryMs * spread, undefined, { signal, ref: false });
      const { touched } = this;
      this.touched = new Set();
      const isSweep = performance.now() >= sweepAt;
      if (isSweep) sweepAt += sweepEveryMs * spread;
      await this.trimAll(isSweep ? iterateWorkspaceIds(this.redis) : touched, isSweep);
    }
  }

  private async trimAll(ids: Iterable<string> | AsyncIterable<string>, isSweep: boolean): Promise<void> {
    try {
      for await (const id of ids) {
        this.stopping.signal.throwIfAborted();
        await trimUpdates(this.redis, id, this.retention);
        this.measurer.add(id);
        if (isSweep) await forgetGoneKeys(this.redis, id);
      }
    } catch (err) {
      this.stopping.signal.throwIfAborted();
      this.log.warn({ err }, 'update streams were not trimmed; trying again later');
    }
  }
}
