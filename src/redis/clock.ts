import { every, type Repeated } from '../every.ts';
import type { RedisConnection } from './connections.ts';

const RESYNC_MS = 5_000;

// A slow answer is inexact, because it is unknown when Redis read its clock. After a few slow ones in a row any is used.
const QUICK_MS = 20;
const SLOW_IN_A_ROW_MAX = 6;

/** Redis' time, estimated from this process' monotonic clock: changes of the machine's clock do not affect it. */
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
    // Without an answer the last estimate stays in use.
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
