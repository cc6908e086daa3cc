import os from 'node:os';
import { every, type Repeated } from '../every.ts';
import type { RedisConnection } from './connections.ts';

// Until it is noticed that Redis' clock was set ahead, the time of calls is over before they begin.
const RESYNC_MS = 1_000;

// A slow answer is inexact, because it is unknown when Redis read its clock: it is used only if it proves the estimate wrong. After half a
// minute of slow ones any is used.
const QUICK_MS = 20;
const SLOW_IN_A_ROW_MAX = 30;

// If the machine's own clock has gone on by so much more or less than the monotonic one, it was set, or the machine was suspended.
const JUMP_MS = 1_000;

/**
 * Redis' time, estimated from this process' monotonic clock: changes of the machine's clock do not affect it. After a failover it follows
 * the clock of the new server. The monotonic clock stands still while the machine is suspended; that is made up for at once.
 */
export class RedisClock {
  private readonly redis: RedisConnection;
  private offsetMs: number | null = null;
  private slowInARow = 0;
  /** How far the machine's own clock is ahead of the monotonic one. */
  private aheadMs = aheadNow();
  private suspendedMs = suspendedNow();
  private resyncing: Repeated | undefined;
  private readonly onReady = () => void this.sync().catch(() => undefined);

  constructor(redis: RedisConnection) {
    this.redis = redis;
  }

  /** Asks Redis for its time once and then every second. */
  async start(everyMs = RESYNC_MS): Promise<void> {
    await this.sync();
    this.redis.on('ready', this.onReady);
    // Without an answer the last estimate stays in use.
    this.resyncing = every(everyMs, () => this.sync(), { onFailure: () => undefined });
  }

  stop(): void {
    this.redis.off('ready', this.onReady);
    void this.resyncing?.stop();
  }

  /** Milliseconds since the epoch, by Redis' clock; only after `start`. */
  now(): number {
    if (Math.abs(aheadNow() - this.aheadMs) > JUMP_MS) this.noticeJump();
    return performance.now() + (this.offsetMs ?? 0);
  }

  private noticeJump(): void {
    const suspendedMs = suspendedNow() - this.suspendedMs;
    this.aheadMs = aheadNow();
    this.suspendedMs += suspendedMs;
    // Redis' clock went on meanwhile. Where only this machine's clock was set, it says nothing of Redis' time.
    if (suspendedMs > JUMP_MS && this.offsetMs !== null) this.offsetMs += suspendedMs;
    void this.sync().catch(() => undefined);
  }

  private async sync(): Promise<void> {
    const asked = performance.now();
    const [aheadMs, suspendedMs] = [aheadNow(), suspendedNow()];
    const [seconds, micros] = await this.redis.time();
    const answered = performance.now();
    // Redis may have answered before a jump or after it. `now` notices it, and asks again.
    if (this.offsetMs !== null && Math.abs(aheadNow() - aheadMs) > JUMP_MS) return;
    this.aheadMs = aheadMs;
    this.suspendedMs = suspendedMs;
    const offsetMs = Number(seconds) * 1_000 + Number(micros) / 1_000 - (asked + answered) / 2;
    this.slowInARow = answered - asked > QUICK_MS ? this.slowInARow + 1 : 0;
    const mayBeRight = this.offsetMs !== null && Math.abs(offsetMs - this.offsetMs) <= (answered - asked) / 2;
    if (mayBeRight && this.slowInARow > 0 && this.slowInARow < SLOW_IN_A_ROW_MAX) return;
    this.offsetMs = offsetMs;
  }
}

function aheadNow(): number {
  return Date.now() - performance.now();
}

// For how long the machine was suspended since its boot, and a constant: its uptime goes on then, and does not change when its clock is set.
function suspendedNow(): number {
  return os.uptime() * 1_000 - performance.now();
}
