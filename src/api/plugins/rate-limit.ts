import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimit } from '../../directory/collections.ts';
import type { KeyRate, Principal } from '../../directory/principal.ts';
import { Problem } from '../../problem.ts';
import type { ApiDeps } from '../deps.ts';
import type { RateVerdict } from '../limits/token-budget.ts';
import type { Guard, RequestCheck } from './guards.ts';

type RateDeps = Pick<ApiDeps, 'rateLimiter' | 'metrics' | 'config'>;

/** Counts each request against the rate limit of its API key, after the guard that finds the key. */
export function rateLimitGuard(deps: RateDeps): Guard {
  const checkRate: RequestCheck = (request, reply) => {
    const limited = chargeKey(deps, request.principal, reply, 1);
    return limited instanceof Promise
      ? limited.then((problem) => problem ?? undefined)
      : (limited ?? undefined);
  };
  return (route) => (route?.config?.public === true ? null : checkRate);
}

/**
 * Counts the other items of a bulk, such as calls, all or none; the guard has counted the first. Throws `invalid_body` at `pointer` for
 * more than the limit ever allows.
 */
export async function chargeBulk(
  deps: RateDeps,
  { principal }: FastifyRequest,
  reply: FastifyReply,
  count: number,
  pointer: '/calls' | '/accounts' | '/ids',
): Promise<void> {
  const max = callsAtOnce(deps, principal);
  if (count + 1 > max) {
    const detail = `At most ${max} in one request: that is how many the rate limit of this API key allows at once.`;
    throw new Problem('invalid_body', { errors: [{ pointer, detail }] });
  }
  const problem = count === 0 ? null : await chargeKey(deps, principal, reply, count);
  if (problem !== null) throw problem;
}

/** The most calls that a principal's limits allow in one request. */
export function callsAtOnce({ config }: Pick<RateDeps, 'config'>, principal: Principal): number {
  return Math.min(...ratesOf(config, principal).map(({ limit }) => limit.limit));
}

/** A token bucket that a key's requests draw from. */
interface Bucket {
  keyId: string;
  limit: RateLimit;
}

const UNLIMITED: Bucket[] = [];
const known = new WeakMap<readonly KeyRate[], { usual: RateLimit | undefined; buckets: Bucket[] }>();

/** The limits that a principal's requests count against, its own first. */
export function ratesOf(config: Pick<ApiDeps['config'], 'KEY_RATE_LIMIT'>, principal: Principal): Bucket[] {
  if (principal.kind === 'root') return UNLIMITED;
  const usual = config.KEY_RATE_LIMIT;
  let found = known.get(principal.rates);
  if (found === undefined || found.usual !== usual) {
    const buckets = principal.rates
      .flatMap(({ keyId, rateLimit }) => {
        const limit = rateLimit ?? usual;
        return limit === undefined ? [] : [{ keyId, limit }];
      })
      .reverse();
    found = { usual, buckets };
    known.set(principal.rates, found);
  }
  return found.buckets;
}

// Returns the problem of a request beyond the limit, or null.
function chargeKey(
  deps: RateDeps,
  principal: Principal,
  reply: FastifyReply,
  cost: number,
): Problem | null | Promise<Problem | null> {
  const buckets = ratesOf(deps.config, principal);
  return buckets.length === 0 ? null : chargeFrom(deps, buckets, 0, reply, cost);
}

// A request that its own limit refuses does not count against the others.
function chargeFrom(
  deps: RateDeps,
  buckets: Bucket[],
  index: number,
  reply: FastifyReply,
  cost: number,
): Problem | null | Promise<Problem | null> {
  const bucket = buckets[index] as Bucket;
  const conclude = (verdict: RateVerdict): Problem | null | Promise<Problem | null> => {
    writeRateLimit(reply, bucket.limit, verdict, index > 0);
    if (!verdict.admitted) {
      deps.metrics.countRateLimited();
      return tooMany(bucket.limit, verdict.retryAfterSeconds);
    }
    return index + 1 === buckets.length ? null : chargeFrom(deps, buckets, index + 1, reply, cost);
  };
  const verdict = deps.rateLimiter.take(bucket.keyId, bucket.limit, cost);
  return verdict instanceof Promise ? verdict.then(conclude) : conclude(verdict);
}

/**
 * Writes the `RateLimit` fields (draft-ietf-httpapi-ratelimit-headers-10), for the limit with the fewest requests left. For a limit that
 * refuses, they agree with `Retry-After`.
 */
function writeRateLimit(
  reply: FastifyReply,
  { limit, windowSeconds }: RateLimit,
  verdict: RateVerdict,
  isContinuation: boolean,
): void {
  const remaining = verdict.admitted ? verdict.remaining : 0;
  if (verdict.admitted && isContinuation && shownRemaining(reply) <= remaining) return;
  const reset = verdict.admitted ? Math.ceil(windowSeconds / limit) : verdict.retryAfterSeconds;
  reply.header('ratelimit-policy', `"key";q=${limit};w=${windowSeconds}`);
  reply.header('ratelimit', `"key";r=${remaining};t=${reset}`);
}

function shownRemaining(reply: FastifyReply): number {
  return Number(/;r=(\d+)/.exec(String(reply.getHeader('ratelimit')))?.[1] ?? Number.POSITIVE_INFINITY);
}

function tooMany({ limit, windowSeconds }: RateLimit, retryAfterSeconds: number): Problem {
  return new Problem('rate_limited', {
    detail: `This API key may make ${limit} requests in ${windowSeconds} seconds: wait for ${retryAfterSeconds} seconds.`,
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
}
