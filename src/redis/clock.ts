import { every, type Repeated } from '../every.ts';
import type { RedisConnection } from './connections.ts';

const RESYNC_MS = 5_000;

// An answer that took long says little about when it was given; after a few of them in a row any will do.
const QUICK_MS = 20;
const SLOW_IN_A_ROW_MAX = 6;

/** Redis' time as this process reckons it: unaffected by changes of this machine's own clock. */
export class RedisClock {
  private readonly redis: RedisConnection;
  private skewMs: number | null = null;
  private slowInARow = 0;
  private resyncing: Repeated | undefined;

  constructor(redis: RedisConnection) {
    this.redis = redis;
  }

  /** Asks Redis for its time once and then every few seconds. */
  async start(): Promise<void> {
    await this.sync();
    // Without an answer the time it knows goes on.
    this.resyncing = every(RESYNC_MS, () => this.sync(), { onFailure: () => undefined });
  }

  stop(): void {
    void this.resyncing?.stop();
  }

  /** Milliseconds since the epoch, by Redis' clock. */
  now(): number {
    return performance.now() + (this.skewMs ?? 0);
  }

  private async sync(): Promise<void> {
    const asked = performance.now();
    const [seconds, micros] = await this.redis.time();
    const answered = performance.now();
    this.slowInARow = answered - asked > QUICK_MS ? this.slowInARow + 1 : 0;
    if (this.skewMs !== null && this.slowInARow > 0 && this.slowInARow < SLOW_IN_A_ROW_MAX) return;
    this.skewMs = Number(seconds) * 1_000 + Number(micros) / 1_000 - (asked + answered) / 2;
  }
}
