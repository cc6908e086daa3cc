import { every, type Repeated } from '../every.ts';
import type { RedisConnection } from './connections.ts';

const RESYNC_MS = 5_000;

// A slow answer is inexact, because it is unknown when Redis read its clock: it is used only if it proves the estimate wrong. After a few
// slow ones in a row any is used.
const QUICK_MS = 20;
const SLOW_IN_A_ROW_MAX = 6;

/**
 * Redis' time, estimated from this process' monotonic clock: changes of the machine's clock do not affect it. After a failover it follows
 * the clock of the new server.
 */
export class RedisClock {
  private readonly redis: RedisConnection;
  private offsetMs: number | null = null;
  private slowInARow = 0;
  private resyncing: Repeated | undefined;
  private readonly onReady = () => void this.sync().catch(() => undefined);

  constructor(redis: RedisConnection) {
    this.redis = redis;
  }

  /** Asks Redis for its time once and then every few seconds. */
  async start(): Promise<void> {
    await this.sync();
    this.redis.on('ready', this.onReady);
    // Without an answer the last estimate stays in use.
    this.resyncing = every(RESYNC_MS, () => this.sync(), { onFailure: () => undefined });
  }

  stop(): void {
    this.redis.off('ready', this.onReady);
    void this.resyncing?.stop();
  }

  /** Milliseconds since the epoch, by Redis' clock; only after `start`. */
  now(): number {
    return performance.now() + (this.offsetMs ?? 0);
  }

  private async sync(): Promise<void> {
    const asked = performance.now();
    const [seconds, micros] = await this.redis.time();
    const answered = performance.now();
    const offsetMs = Number(seconds) * 1_000 + Number(micros) / 1_000 - (asked + answered) / 2;
    this.slowInARow = answered - asked > QUICK_MS ? this.slowInARow + 1 : 0;
    const mayBeRight = this.offsetMs !== null && Math.abs(offsetMs - this.offsetMs) <= (answered - asked) / 2;
    if (mayBeRight && this.slowInARow > 0 && this.slowInARow < SLOW_IN_A_ROW_MAX) return;
    this.offsetMs = offsetMs;
  }
}
