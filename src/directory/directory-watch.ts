import { every, type Repeated } from '../every.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { directoryKey } from '../redis/keys.ts';

/** What every write to the directory changes: another value each time, so that none that was lost is ever taken for another. */
export const DIRECTORY_VERSION = directoryKey('version');

/** How long another process may still see what has been changed or deleted. */
export const FRESH_MS = 500;

// Often enough that what is remembered stays good while this process, or Redis, is busy.
const LOOK_MS = 100;

/**
 * Knows since when nothing in the directory has changed, by one small look at it ten times a second: what has been read since
 * then need not be read again.
 */
export class DirectoryWatch {
  private readonly redis: RedisConnection;
  private version: string | null = null;
  private unchangedSince = Number.POSITIVE_INFINITY;
  private confirmedAt = Number.NEGATIVE_INFINITY;
  private readonly looking: Repeated;

  constructor(redis: RedisConnection) {
    this.redis = redis;
    // What cannot be confirmed is read again.
    this.looking = every(LOOK_MS, () => this.look(), { onFailure: () => undefined });
  }

  /** Whether what was asked for then (by `performance.now`) is known to have been so half a second ago, or later. */
  covers(askedAt: number): boolean {
    const now = performance.now();
    return askedAt > now - FRESH_MS || (askedAt > this.unchangedSince && this.confirmedAt > now - FRESH_MS);
  }

  stop(): void {
    void this.looking.stop();
  }

  private async look(): Promise<void> {
    const askedAt = performance.now();
    const version = (await this.redis.get(DIRECTORY_VERSION)) ?? '';
    if (version !== this.version) {
      this.version = version;
      this.unchangedSince = performance.now();
    }
    this.confirmedAt = askedAt;
  }
}
