import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { Problem } from '../../problem.ts';
import type { RateLimit } from '../../store/collections.ts';
import type { Principal } from '../../store/principal.ts';
import type { ApiDeps } from '../deps.ts';
import type { RateVerdict } from '../token-budget.ts';
import type { Guard } from './guards.ts';

type RateDeps = Pick<ApiDeps, 'rateLimiter' | 'metrics' | 'config'>;

/** Counts every request against the rate limit of its API key, behind the guard that finds the key. */
export function rateLimitGuard(deps: RateDeps): Guard {
  const checkRate: onRequestHookHandler = (request, reply, done) => {
    const limited = chargeKey(deps, request.principal, reply, 1);
    if (limited instanceof Promise) void limited.then((problem) => done(problem ?? undefined));
    else done(limited ?? undefined);
  };
  return (route) => (route?.config?.public === true ? null : checkRate);
}

/** Counts the calls that a request carries beside its first one, which the guard has counted; all of them or none. */
export async function chargeFurtherCalls(
  deps: RateDeps,
  { principal }: FastifyRequest,
  reply: FastifyReply,
  calls: number,
): Promise<void> {
  const problem = calls === 0 ? null : await chargeKey(deps, principal, reply, calls);
  if (problem !== null) throw problem;
}

// The problem of a request that is one too many, or null.
function chargeKey(
  { rateLimiter, metrics, config }: RateDeps,
  principal: Principal,
  reply: FastifyReply,
  cost: number,
): Problem | null | Promise<Problem | null> {
  if (principal.kind === 'root') return null;
  const limit = principal.rateLimit ?? config.KEY_RATE_LIMIT;
  if (limit === undefined) return null;
  const conclude = (verdict: RateVerdict | null): Problem | null => {
    if (verdict === null) return null;
    tellLimit(reply, limit, verdict);
    if (verdict.admitted) return null;
    metrics.countRateLimited();
    return tooMany(limit, verdict.retryAfterSeconds);
  };
  const verdict = rateLimiter.take(principal.keyId, limit, cost);
  return verdict instanceof Promise ? verdict.then(conclude) : conclude(verdict);
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
