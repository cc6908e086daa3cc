import type { RateLimit } from '../../directory/collections.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { type RateVerdict, TokenBudget } from './token-budget.ts';

// A Redis that could not be asked is left alone for so long.
const FAILED_MS = 250;

/**
 * Holds API keys to their rate limits, across all API processes. Each process draws tokens ahead from a bucket in Redis, so
 * that most requests are admitted without asking. In any span of T seconds a key is let through at most
 * `limit + (T + 1) × limit / windowSeconds` times.
 */
export class RateLimiter {
  private readonly redis: RedisConnection;
  private readonly budgets = new Map<string, TokenBudget>();
  private openUntil = 0;

  constructor(redis: RedisConnection) {
    this.redis = redis;
  }

  /**
   * Takes `cost` tokens of a key, all or none; at once where this process holds them. Null while Redis cannot be asked: whatever
   * was wanted needs Redis too, and gets its answer from there.
   */
  take(keyId: string, limit: RateLimit, cost: number): RateVerdict | null | Promise<RateVerdict | null> {
    const budget = this.budgets.get(keyId) ?? this.open(keyId, limit);
    const verdict = budget.take(limit, cost);
    if (verdict !== null) return verdict;
    if (performance.now() < this.openUntil) return null;
    return budget.draw(cost);
  }

  private open(keyId: string, limit: RateLimit): TokenBudget {
    const budget = new TokenBudget(this.redis, keyId, limit, {
      idle: () => this.budgets.delete(keyId),
      failed: () => {
        this.openUntil = performance.now() + FAILED_MS;
      },
    });
    this.budgets.set(keyId, budget);
    return budget;
  }
}
