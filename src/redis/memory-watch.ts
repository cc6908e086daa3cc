import { every, type Repeated } from '../every.ts';
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
  private readonly looking: Repeated;
  private full = false;

  constructor(redis: RedisConnection, log: Logger) {
    this.redis = redis;
    this.log = log;
    this.looking = every(LOOK_MS, () => this.look(), {
      onFailure: (err) => log.warn({ err }, 'Redis did not say whether its memory is full; asking again'),
    });
  }

  get isFull(): boolean {
    return this.full;
  }

  stop(): void {
    void this.looking.stop();
  }

  private async look(): Promise<void> {
    const full = await isMemoryFull(this.redis);
    if (full && !this.full) {
      this.log.error(
        "Redis' memory is full: what adds to it is refused with 503 until something is deleted or maxmemory is raised",
      );
    } else if (!full && this.full) this.log.info('Redis has memory again');
    this.full = full;
  }
}
