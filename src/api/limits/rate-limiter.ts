import type { RateLimit } from '../../directory/collections.ts';
import type { Logger } from '../../logger.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { type RateVerdict, TokenBudget } from './token-budget.ts';

const LOGGED_EVERY_MS = 10_000;

/**
 * Enforces the rate limits of API keys over all API processes. Each process draws tokens ahead from a token bucket in Redis, so that most
 * requests need no command. In any T seconds a key gets at most `limit + (T + 1) × limit / windowSeconds` requests; fixed windows would
 * allow twice the limit at their edges. A request counts against its own key and each key through which that was created. With one bucket
 * for all of them, a key with a looser limit would empty it for one with a tighter limit.
 */
export class RateLimiter {
  private readonly redis: RedisConnection;
  private readonly log: Logger;
  private readonly budgets = new Map<string, TokenBudget>();
  private loggedAt = Number.NEGATIVE_INFINITY;

  constructor(redis: RedisConnection, log: Logger) {
    this.redis = redis;
    this.log = log;
  }

  /**
   * Takes `cost` tokens of a key, all or none; at once if this process holds them. While Redis cannot be asked, or takes no writes, each
   * process counts by itself.
   */
  take(keyId: string, limit: RateLimit, cost: number): RateVerdict | Promise<RateVerdict> {
    const budget = this.budgets.get(keyId) ?? this.open(keyId, limit);
    return budget.take(limit, cost) ?? budget.draw(cost);
  }

  private open(keyId: string, limit: RateLimit): TokenBudget {
    const budget = new TokenBudget(this.redis, keyId, limit, {
      idle: () => this.budgets.delete(keyId),
      failed: (err) => this.noteFailure(err),
    });
    this.budgets.set(keyId, budget);
    return budget;
  }

  private noteFailure(err: unknown): void {
    const now = performance.now();
    if (now - this.loggedAt < LOGGED_EVERY_MS) return;
    this.loggedAt = now;
    this.log.warn(
      { err },
      'Redis could not be asked for a rate limit; meanwhile each process counts by itself',
    );
  }
}
