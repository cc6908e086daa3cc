import type { FastifyReply, onRequestHookHandler } from 'fastify';
import type { Config } from '../../config.ts';
import { Problem } from '../../problem.ts';
import type { RateLimit } from '../../store/collections.ts';
import type { Metrics } from '../metrics.ts';
import type { RateLimiter } from '../rate-limiter.ts';
import type { RateVerdict } from '../token-budget.ts';
import type { Guard } from './guards.ts';

/** Counts every request against the rate limit of its API key, behind the guard that finds the key. */
export function rateLimitGuard(
  limiter: RateLimiter,
  metrics: Metrics,
  { KEY_RATE_LIMIT: everyKey }: Pick<Config, 'KEY_RATE_LIMIT'>,
): Guard {
  const checkRate: onRequestHookHandler = (request, reply, done) => {
    const { principal } = request;
    if (principal.kind === 'root') return done();
    const limit = principal.rateLimit ?? everyKey;
    if (limit === undefined) return done();
    const conclude = (verdict: RateVerdict | null) => {
      if (verdict === null) return done();
      tellLimit(reply, limit, verdict);
      if (verdict.admitted) return done();
      metrics.countRateLimited();
      done(tooMany(limit, verdict.retryAfterSeconds));
    };
    const verdict = limiter.take(principal.keyId, limit, 1);
    if (verdict instanceof Promise) void verdict.then(conclude);
    else conclude(verdict);
  };
  return (route) => (route?.config?.public === true ? null : checkRate);
}

/** The one writer of the `RateLimit` fields (draft-ietf-httpapi-ratelimit-headers-10). */
function tellLimit(reply: FastifyReply, { limit, windowSeconds }: RateLimit, verdict: RateVerdict): void {
  const remaining = verdict.admitted ? verdict.remaining : 0;
  const reset = verdict.admitted ? Math.ceil(windowSeconds / limit) : verdict.resetSeconds;
  reply.header('ratelimit-policy', `"key";q=${limit};w=${windowSeconds}`);
  reply.header('ratelimit', `"key";r=${remaining};t=${reset}`);
}

function tooMany({ limit, windowSeconds }: RateLimit, retryAfterSeconds: number): Problem {
  return new Problem('rate_limited', {
    detail: `This API key may make ${limit} requests in ${windowSeconds} seconds.`,
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
}
