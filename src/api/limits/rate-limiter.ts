import type { RateLimit } from '../../directory/collections.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { type RateVerdict, TokenBudget } from './token-budget.ts';

// After a failure Redis is not asked for this long.
const FAILED_MS = 250;

/**
 * Enforces the rate limits of API keys over all API processes. Each process draws tokens ahead from a bucket in Redis, so
 * that most requests need no command. In any T seconds a key gets at most `limit + (T + 1) × limit / windowSeconds` requests; fixed
 * windows would let twice the limit pass at their edges. A request counts against each key of its chain: in one bucket for all, the
 * looser key would empty it for the tighter.
 */
export class RateLimiter {
  private readonly redis: RedisConnection;
  private readonly budgets = new Map<string, TokenBudget>();
  private openUntil = 0;

  constructor(redis: RedisConnection) {
    this.redis = redis;
  }

  /**
   * Takes `cost` tokens of a key, all or none, at once if this process holds them. Null while Redis cannot be asked: the
   * request needs Redis too, and fails there.
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
