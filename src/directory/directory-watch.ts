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

/** While Redis is away, what was read up to this long (ms) before is still used. */
export const LAST_FRESH_MS = 120_000;

/**
 * Reads the version of the directory ten times a second. What was read from the directory since the version last changed is fresh.
 * The alternatives are worse: to look up each key and account anew takes a tenth of the time of a call, and a published message can be
 * lost.
 */
export class DirectoryWatch {
  private readonly redis: RedisConnection;
  private version: string | null = null;
  private unchangedSince = Number.POSITIVE_INFINITY;
  private confirmedAt = Number.NEGATIVE_INFINITY;
  private readonly polling: Repeated;

  constructor(redis: RedisConnection) {
    this.redis = redis;
    // A failure needs no handling: without confirmation nothing is fresh, and look-ups go to Redis.
    this.polling = every(POLL_MS, () => this.check(), { onFailure: () => undefined });
  }

  /** Whether what was read at `askedAt` (by `performance.now`) was certainly still true half a second ago. */
  isFresh(askedAt: number): boolean {
    const now = performance.now();
    return askedAt > now - FRESH_MS || (askedAt > this.unchangedSince && this.confirmedAt > now - FRESH_MS);
  }

  /** Whether what was read at `askedAt` was still true when Redis last answered, or was read at most two minutes before that. */
  wasFresh(askedAt: number): boolean {
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
