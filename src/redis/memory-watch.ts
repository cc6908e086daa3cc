import type { Logger } from '../logger.ts';
import { mastersOf, type RedisConnection } from './connections.ts';
import { isOutOfMemory } from './failure.ts';
import { Script } from './script.ts';

const LOOK_MS = 1_000;

/**
 * KEYS  none
 * ARGV  none
 * Result 1; Redis refuses to run it when its memory is full, for it does not say that it may run then.
 */
const probe = new Script('#!lua\nreturn 1');

/** Whether Redis (a master of the cluster) has no memory left for what adds to it. */
export async function isMemoryFull(redis: RedisConnection): Promise<boolean> {
  const looks = mastersOf(redis).map((server) =>
    probe.run(server, [], []).then(
      () => false,
      (error) => {
        if (isOutOfMemory(error)) return true;
        throw error;
      },
    ),
  );
  return (await Promise.all(looks)).includes(true);
}

/** Knows whether Redis' memory is full, as of a second ago, and has the log say once when that begins and when it ends. */
export class MemoryWatch {
  private readonly redis: RedisConnection;
  private readonly log: Logger;
  private readonly timer: NodeJS.Timeout;
  private looking = false;
  private full = false;

  constructor(redis: RedisConnection, log: Logger) {
    this.redis = redis;
    this.log = log;
    this.timer = setInterval(() => void this.look(), LOOK_MS);
    this.timer.unref();
  }

  get isFull(): boolean {
    return this.full;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      const full = await isMemoryFull(this.redis);
      if (full && !this.full) {
        this.log.error(
          "Redis' memory is full: what adds to it is refused with 503 until something is deleted or maxmemory is raised",
        );
      } else if (!full && this.full) this.log.info('Redis has memory again');
      this.full = full;
    } catch {
      // Nobody knows; the next look tells.
    } finally {
      this.looking = false;
    }
  }
}
