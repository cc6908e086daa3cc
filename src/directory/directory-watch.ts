import { every, type Repeated } from '../every.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { directoryKey } from '../redis/keys.ts';

/**
 * A random value that changes with every write to the directory. A counter would not do: after a failover that loses writes it could
 * repeat a value.
 */
export const DIRECTORY_VERSION = directoryKey('version');

/** For how long (ms) a process may still see a record that another one has changed or deleted. */
export const FRESH_MS = 500;

// Several times within FRESH_MS, so that a late poll does not empty the caches.
const POLL_MS = 100;

/** How old (ms), when Redis goes away, may be what is used until Redis is back. */
export const LAST_FRESH_MS = 120_000;

/**
 * Reads the version of the directory ten times a second. What was read from the directory since the version last changed is fresh.
 * To look up each key and account anew would take a tenth of the time of a call, and a published message could be lost.
 */
export class DirectoryWatch {
  private readonly redis: RedisConnection;
  private version: string | null = null;
  private unchangedSince = Number.POSITIVE_INFINITY;
  private confirmedAt = Number.NEGATIVE_INFINITY;
  private readonly polling: Repeated;

  constructor(redis: RedisConnection) {
    this.redis = redis;
    // Without confirmation, look-ups go to Redis again.
    this.polling = every(POLL_MS, () => this.check(), { onFailure: () => undefined });
  }

  /** Whether what was read at `askedAt` (by `performance.now`) was certainly still true half a second ago. */
  covers(askedAt: number): boolean {
    const now = performance.now();
    return askedAt > now - FRESH_MS || (askedAt > this.unchangedSince && this.confirmedAt > now - FRESH_MS);
  }

  /** Whether what was read at `askedAt` was still true when Redis last answered, or had been read in the two minutes before. */
  coveredLast(askedAt: number): boolean {
    return askedAt > Math.min(this.unchangedSince, this.confirmedAt - LAST_FRESH_MS);
  }

  stop(): void {
    void this.polling.stop();
  }

  private async check(): Promise<void> {
    const askedAt = performance.now();
    const version = (await this.redis.get(DIRECTORY_VERSION)) ?? '';
    if (version !== this.version) {
      this.version = version;
      this.unchangedSince = performance.now();
    }
    this.confirmedAt = askedAt;
  }
}
