import { every, type Repeated } from '../every.ts';
import type { Logger } from '../logger.ts';
import { mastersOf, type RedisConnection } from './connections.ts';
import { isOutOfMemory, isWriteRefused } from './failure.ts';
import { Script } from './script.ts';

const POLL_MS = 1_000;

/**
 * KEYS  none
 * ARGV  none
 * Result 1. Without the flags `allow-oom` and `no-writes`, Redis refuses to run it when its memory is full or it takes no writes.
 */
const probe = new Script('#!lua\nreturn 1');

/** Whether Redis, or any master of the cluster, refuses writes because its memory is full. */
export async function isMemoryFull(redis: RedisConnection): Promise<boolean> {
  const probes = mastersOf(redis).map((server) =>
    probe.run(server, [], []).then(
      () => false,
      (error) => {
        if (isOutOfMemory(error)) return true;
        throw error;
      },
    ),
  );
  return (await Promise.all(probes)).includes(true);
}

/** Asks once a second whether Redis' memory is full, or Redis takes no writes at all, and logs when that begins and ends. */
export class MemoryWatch {
  private readonly redis: RedisConnection;
  private readonly log: Logger;
  private readonly polling: Repeated;
  private full = false;
  private refuses = false;

  constructor(redis: RedisConnection, log: Logger) {
    this.redis = redis;
    this.log = log;
    this.polling = every(POLL_MS, () => this.check(), {
      onFailure: (err) => log.warn({ err }, 'Redis did not say whether its memory is full; asking again'),
    });
  }

  get isFull(): boolean {
    return this.full;
  }

  /** Whether Redis refuses all writes, for another reason than its memory. */
  get refusesWrites(): boolean {
    return this.refuses;
  }

  stop(): void {
    void this.polling.stop();
  }

  private async check(): Promise<void> {
    const full = await isMemoryFull(this.redis).catch((err) => {
      if (!isWriteRefused(err)) throw err;
      if (!this.refuses)
        this.log.error(
          { err },
          'Redis takes no writes, as when its disk is full: calls and changes fail until it does',
        );
      this.refuses = true;
      return null;
    });
    if (full === null) return;
    if (this.refuses) this.log.info('Redis takes writes again');
    this.refuses = false;
    if (full && !this.full) {
      this.log.error(
        "Redis' memory is full: requests that add to it are refused with 503 until something is deleted or maxmemory is raised",
      );
    } else if (!full && this.full) this.log.info('Redis has memory again');
    this.full = full;
  }
}
