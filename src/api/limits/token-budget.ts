import type { RateLimit } from '../../directory/collections.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { rateKey } from '../../redis/keys.ts';
import { drawScript } from './draw-script.ts';

/** The verdict of a rate limit on a request. */
export type RateVerdict =
  | { admitted: true; remaining: number }
  | {
      admitted: false;
      /** How long to wait. The more were refused, the further apart their times are, so that not all retry at once. */
      retryAfterSeconds: number;
    };

// How long drawn tokens are valid. A key may exceed its limit by what refills in this time.
const LEASE_MS = 1_000;
// How long the tokens drawn ahead should last at the current rate.
const AHEAD_MS = 500;
// The most tokens that are drawn ahead.
const AHEAD_MAX = 10_000;
// A rate is measured over at least this long.
const RATE_OVER_MS = 50;
// An empty bucket is asked again no sooner than this, however fast it fills.
const EMPTY_MIN_MS = 5;
// After a failure Redis is not asked for this long, so that requests do not each wait for a command that fails.
const FAILED_MS = 250;

interface Waiter {
  cost: number;
  decide(verdict: RateVerdict): void;
}

/** The tokens of an API key's rate limit that one process holds. */
export class TokenBudget {
  private limit: RateLimit;
  private readonly redis: RedisConnection;
  private readonly key: string;
  private readonly on: { idle(): void; failed(error: unknown): void };
  private tokens = 0;
  /** The tokens left in the bucket after the last draw. */
  private leftInBucket = 0;
  private drawnAt = Number.NEGATIVE_INFINITY;
  private emptyUntil = 0;
  private failedUntil = 0;
  /** When this process's own bucket is full again. It is used while Redis cannot be asked. */
  private ownFullAt = 0;
  private used = 0;
  private measuredAt = Number.NEGATIVE_INFINITY;
  private rate = 0;
  private refused = 0;
  private waiters: Waiter[] = [];
  private drawing = false;
  private returnTimer: NodeJS.Timeout | undefined;

  constructor(redis: RedisConnection, keyId: string, limit: RateLimit, on: TokenBudget['on']) {
    this.redis = redis;
    this.key = rateKey(keyId);
    this.limit = limit;
    this.on = on;
  }

  /** Takes tokens that this process holds. Refuses if the bucket is empty, or `cost` is above the limit. Null if Redis must be asked. */
  take(limit: RateLimit, cost: number): RateVerdict | null {
    const now = performance.now();
    if (limit !== this.limit) this.setLimit(limit);
    if (this.tokens >= cost && now - this.drawnAt < LEASE_MS) return this.admit(cost);
    if (now < this.emptyUntil || cost > this.limit.limit) return this.refuse(cost);
    return null;
  }

  /** Takes tokens from Redis; concurrent requests share a draw. While Redis cannot be asked, takes them from a bucket of this process. */
  draw(cost: number): Promise<RateVerdict> | RateVerdict {
    if (performance.now() < this.failedUntil) return this.takeOwn(cost);
    return new Promise((decide) => {
      this.waiters.push({ cost, decide });
      if (!this.drawing) void this.drawForWaiters();
    });
  }

  // Each lookup of the key returns a new object for the same limit.
  private setLimit(limit: RateLimit): void {
    const isSame = limit.limit === this.limit.limit && limit.windowSeconds === this.limit.windowSeconds;
    this.limit = limit;
    if (isSame) return;
    this.emptyUntil = 0;
    this.refused = 0;
    // These tokens were drawn under another limit, and are handed back with the next draw.
    this.drawnAt = Number.NEGATIVE_INFINITY;
  }

  private async drawForWaiters(): Promise<void> {
    this.drawing = true;
    const asked = this.waiters.length;
    const needed = this.waiters.reduce((sum, { cost }) => sum + cost, 0);
    const askedAt = performance.now();
    const ahead = Math.min(AHEAD_MAX, Math.floor(this.measureRate(askedAt) * AHEAD_MS));
    const back = this.tokens;
    this.tokens = 0;
    try {
      const waitMs = await this.runDrawScript(needed, ahead, back);
      // Count from before the command: the lease must not start later than the draw in Redis.
      this.drawnAt = askedAt;
      this.ownFullAt = 0;
      this.serve(asked, waitMs);
    } catch (error) {
      this.failedUntil = performance.now() + FAILED_MS;
      this.on.failed(error);
      for (const { cost, decide } of this.waiters.splice(0)) decide(this.takeOwn(cost));
    }
    this.drawing = false;
    this.scheduleReturn();
    if (this.waiters.length > 0) void this.drawForWaiters();
  }

  // The draw was for the first `asked` waiters. Those that came meanwhile get another draw if the bucket has tokens left.
  private serve(asked: number, waitMs: number): void {
    const late: Waiter[] = [];
    for (const [place, waiter] of this.waiters.splice(0).entries()) {
      const { cost, decide } = waiter;
      if (this.tokens >= cost) decide(this.admit(cost));
      else if (place >= asked && this.leftInBucket > 0) late.push(waiter);
      else {
        if (this.leftInBucket === 0) this.emptyUntil = performance.now() + Math.max(EMPTY_MIN_MS, waitMs);
        decide(this.refuse(cost));
      }
    }
    this.waiters = late;
  }

  // While Redis takes no writes, it may still serve reads. Without a bucket in this process, nothing would limit requests that only read.
  private takeOwn(cost: number): RateVerdict {
    const { limit, windowSeconds } = this.limit;
    const now = performance.now();
    const msPerToken = (windowSeconds * 1_000) / limit;
    const fullAt = Math.max(now, this.ownFullAt);
    const left = limit - (fullAt - now) / msPerToken;
    if (left >= cost) {
      this.ownFullAt = fullAt + cost * msPerToken;
      return { admitted: true, remaining: Math.floor(left - cost) };
    }
    this.leftInBucket = Math.floor(left);
    this.drawnAt = now;
    if (left < 1) this.emptyUntil = now + (1 - left) * msPerToken;
    return this.refuse(cost);
  }

  // Tokens per millisecond.
  private measureRate(now: number): number {
    const elapsed = now - this.measuredAt;
    if (elapsed < RATE_OVER_MS) return Math.max(this.rate, this.used / RATE_OVER_MS);
    this.rate = this.used / elapsed;
    this.used = 0;
    this.measuredAt = now;
    return this.rate;
  }

  // Returns the ms until Redis has another token.
  private async runDrawScript(needed: number, ahead: number, back: number): Promise<number> {
    const { limit, windowSeconds } = this.limit;
    const args = [limit, windowSeconds * 1_000, needed, ahead, back];
    const [drawn, left, waitMs] = (await drawScript.run(this.redis, [this.key], args)) as [
      number,
      number,
      number,
    ];
    this.tokens += drawn;
    this.leftInBucket = left;
    this.refused = Math.max(0, this.refused - drawn);
    return waitMs;
  }

  private admit(cost: number): RateVerdict {
    this.tokens -= cost;
    this.used += cost;
    return { admitted: true, remaining: Math.min(this.tokens + this.leftInBucket, this.limit.limit) };
  }

  private refuse(cost: number): RateVerdict {
    const { limit, windowSeconds } = this.limit;
    this.refused += 1;
    const secondsPerToken = windowSeconds / limit;
    const now = performance.now();
    const emptySeconds = Math.max(0, this.emptyUntil - now) / 1_000;
    // A bulk is told when there will be enough tokens for it.
    const sinceDraw = Math.min(windowSeconds, Math.max(0, now - this.drawnAt) / 1_000);
    const missing = cost - this.tokens - this.leftInBucket;
    const untilEnough = Math.min(windowSeconds, missing * secondsPerToken - sinceDraw);
    // Tell the first that is refused when there is a token again. Spread the others at random, up to when there may be enough for all.
    const spread = Math.random() * Math.min(windowSeconds, (this.refused - 1) * secondsPerToken);
    const retryAfter = Math.max(emptySeconds, cost === 1 ? 0 : untilEnough) + spread;
    return { admitted: false, retryAfterSeconds: Math.max(1, Math.ceil(retryAfter)) };
  }

  // Returns unused tokens to Redis, for other processes.
  private scheduleReturn(): void {
    if (this.returnTimer !== undefined) return;
    this.returnTimer = setTimeout(() => {
      this.returnTimer = undefined;
      const now = performance.now();
      if (this.drawing || now - this.drawnAt < LEASE_MS || now < this.ownFullAt) return this.scheduleReturn();
      this.on.idle();
      const back = this.tokens;
      this.tokens = 0;
      // Tokens that cannot be returned expire.
      if (back > 0) this.runDrawScript(0, 0, back).catch(() => undefined);
    }, LEASE_MS + 10);
    this.returnTimer.unref();
  }
}
