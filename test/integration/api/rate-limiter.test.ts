import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RateLimiter } from '../../../src/api/limits/rate-limiter.ts';
import type { RateVerdict } from '../../../src/api/limits/token-budget.ts';
import { openLogger } from '../../../src/logger.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { rateKey } from '../../../src/redis/keys.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const LEASE_SECONDS = 1;

let server: TestRedis;
let redis: RedisConnection;
let keys = 0;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'state', () => undefined);
  await untilReady(redis);
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const aKey = () => `key_${++keys}`;

const logTo = (write: (line: string) => void) => openLogger({ LOG_LEVEL: 'warn' }, 'test', { write });
const log = logTo(() => undefined);

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function askTimes(limiter: RateLimiter, key: string, limit: Limit, times: number, cost = 1) {
  const verdicts = Array.from({ length: times }, () => limiter.take(key, limit, cost));
  return Promise.all(verdicts);
}

type Limit = { limit: number; windowSeconds: number };

const isAdmitted = (verdict: RateVerdict) => verdict.admitted;

/** How often Redis has run a script so far. */
async function scriptsRun(): Promise<number> {
  const stats = await redis.info('commandstats');
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

describe('rate limiter', () => {
  it('lets through exactly the limit at once, over two processes', async () => {
    const limit = { limit: 20, windowSeconds: 3_600 };
    const [key, one, two] = [aKey(), new RateLimiter(redis, log), new RateLimiter(redis, log)];
    const verdicts = (
      await Promise.all([askTimes(one, key, limit, 30), askTimes(two, key, limit, 30)])
    ).flat();
    expect(verdicts.filter(isAdmitted)).toHaveLength(20);
  });

  it('counts down what remains, and says when to come back', async () => {
    const limit = { limit: 3, windowSeconds: 3_600 };
    const [key, limiter] = [aKey(), new RateLimiter(redis, log)];
    for (const remaining of [2, 1, 0])
      expect(await limiter.take(key, limit, 1)).toEqual({ admitted: true, remaining });
    const refused = await limiter.take(key, limit, 1);
    if (refused === null || refused.admitted) throw new Error('it was let through');
    expect(refused.retryAfterSeconds).toBeGreaterThan(1_000);
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(1_200);
  });

  it('tells the first who is refused when there is a token, however slowly tokens come', async () => {
    const limit = { limit: 1, windowSeconds: 86_400 };
    const [key, limiter] = [aKey(), new RateLimiter(redis, log)];
    await askTimes(limiter, key, limit, 1);
    const [verdict] = await askTimes(limiter, key, limit, 1);
    if (!verdict || verdict.admitted) throw new Error('it was admitted');
    expect(verdict.retryAfterSeconds).toBeGreaterThan(86_390);
    expect(verdict.retryAfterSeconds).toBeLessThanOrEqual(86_400);
  });

  it('sends those who were refused back at different times', async () => {
    const limit = { limit: 1, windowSeconds: 60 };
    const [key, limiter] = [aKey(), new RateLimiter(redis, log)];
    const verdicts = await askTimes(limiter, key, limit, 200);
    const times = verdicts.map((verdict) => (verdict && !verdict.admitted ? verdict.retryAfterSeconds : 0));
    expect(new Set(times).size).toBeGreaterThan(20);
  });

  it('lets through no more than its bound while two processes ask without pause', async () => {
    const limit = { limit: 50, windowSeconds: 1 };
    const [key, limiters] = [aKey(), [new RateLimiter(redis, log), new RateLimiter(redis, log)]];
    const admittedAt: number[] = [];
    const startedAt = performance.now();
    // Without the time in which this process stands still.
    let askedMs = 0;
    for (let before = startedAt; askedMs < 3_000; ) {
      const found = await Promise.all(limiters.map((limiter) => askTimes(limiter, key, limit, 10)));
      const now = performance.now();
      for (const verdict of found.flat()) if (isAdmitted(verdict)) admittedAt.push(now);
      askedMs += Math.min(now - before, 100);
      before = now;
      await sleep(5);
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    expect(admittedAt.length).toBeLessThanOrEqual(50 + (seconds + LEASE_SECONDS) * 50);
    expect(admittedAt.length).toBeGreaterThan((askedMs / 1_000) * 50 * 0.5);
    for (const [index, first] of admittedAt.entries()) {
      const within = admittedAt.filter((at, other) => other >= index && at < first + 1_000);
      expect(within.length).toBeLessThanOrEqual(50 + (1 + LEASE_SECONDS) * 50);
    }
  });

  it('asks Redis far less often than it decides', async () => {
    const limit = { limit: 1_000_000, windowSeconds: 1 };
    const [key, limiter] = [aKey(), new RateLimiter(redis, log)];
    const before = await scriptsRun();
    const startedAt = performance.now();
    for (let decided = 0; decided < 5_000; decided += 20) {
      await askTimes(limiter, key, limit, 20);
      await sleep(1);
    }
    // It draws ahead for a part of a second.
    const seconds = (performance.now() - startedAt) / 1_000;
    expect((await scriptsRun()) - before).toBeLessThan(20 + 20 * seconds);
  });

  it('gathers those who wait at the same time behind one question', async () => {
    const limit = { limit: 1_000, windowSeconds: 60 };
    const [key, limiter] = [aKey(), new RateLimiter(redis, log)];
    await limiter.take(key, limit, 1);
    const before = await scriptsRun();
    await sleep(1_100);
    expect((await askTimes(limiter, key, limit, 300)).filter(isAdmitted)).toHaveLength(300);
    expect((await scriptsRun()) - before).toBeLessThanOrEqual(4);
  });

  it('asks nothing while it knows that there is nothing', async () => {
    const limit = { limit: 1, windowSeconds: 3_600 };
    const [key, limiter] = [aKey(), new RateLimiter(redis, log)];
    await askTimes(limiter, key, limit, 2);
    const before = await scriptsRun();
    expect((await askTimes(limiter, key, limit, 1_000)).filter(isAdmitted)).toHaveLength(0);
    expect((await scriptsRun()) - before).toBeLessThanOrEqual(1);
  });

  it('hands back what it has drawn and not used', async () => {
    const limit = { limit: 1_000, windowSeconds: 3_600 };
    const [key, one, two] = [aKey(), new RateLimiter(redis, log), new RateLimiter(redis, log)];
    const startedAt = performance.now();
    let used = 0;
    for (; used < 100; used += 10) {
      await askTimes(one, key, limit, 10);
      await sleep(10);
    }
    await sleep(2_500);
    const verdict = await two.take(key, limit, 1);
    if (!verdict?.admitted) throw new Error('it was refused');
    const seconds = (performance.now() - startedAt) / 1_000;
    const restored = Math.ceil((seconds * limit.limit) / limit.windowSeconds) + 1;
    expect(verdict.remaining).toBeGreaterThanOrEqual(1_000 - used - 1);
    expect(verdict.remaining).toBeLessThanOrEqual(1_000 - used - 1 + restored);
  });

  it('takes several tokens together or none', async () => {
    const limit = { limit: 10, windowSeconds: 3_600 };
    const [key, limiter] = [aKey(), new RateLimiter(redis, log)];
    expect(isAdmitted(await limiter.take(key, limit, 7))).toBe(true);
    expect(isAdmitted(await limiter.take(key, limit, 7))).toBe(false);
    expect(isAdmitted(await limiter.take(key, limit, 11))).toBe(false);
    expect(isAdmitted(await limiter.take(key, limit, 3))).toBe(true);
    expect(isAdmitted(await limiter.take(key, limit, 1))).toBe(false);
  });

  it('applies a changed limit to what has been used already', async () => {
    const [key, limiter] = [aKey(), new RateLimiter(redis, log)];
    await askTimes(limiter, key, { limit: 5, windowSeconds: 3_600 }, 5);
    await sleep(1_200);
    const raised = await askTimes(limiter, key, { limit: 3_600_000, windowSeconds: 3_600 }, 5);
    expect(raised.filter(isAdmitted)).toHaveLength(5);
  });

  it('lets nobody through with what was drawn ahead under a higher limit', async () => {
    const [key, limiter] = [aKey(), new RateLimiter(redis, log)];
    const high = { limit: 100_000, windowSeconds: 3_600 };
    for (let n = 0; n < 500; n += 1) await limiter.take(key, high, 1);
    const verdicts = await askTimes(limiter, key, { limit: 100, windowSeconds: 3_600 }, 50);
    expect(verdicts.filter(isAdmitted)).toEqual([]);
  });

  it('leaves nothing in Redis once a bucket is full again', async () => {
    const key = aKey();
    await askTimes(new RateLimiter(redis, log), key, { limit: 10, windowSeconds: 1 }, 10);
    expect(await redis.pttl(rateKey(key))).toBeLessThanOrEqual(1_000);
    await sleep(1_100);
    expect(await redis.exists(rateKey(key))).toBe(0);
  });

  it('holds for a key while that of another cannot be asked for, which this process counts alone and says so', async () => {
    const [key, broken] = [aKey(), aKey()];
    const lines: string[] = [];
    const limiter = new RateLimiter(
      redis,
      logTo((line) => lines.push(line)),
    );
    await redis.lpush(rateKey(broken), 'no bucket');
    const limit = { limit: 1, windowSeconds: 60 };
    expect((await askTimes(limiter, broken, limit, 3)).filter(isAdmitted)).toHaveLength(1);
    expect((await askTimes(limiter, key, limit, 3)).filter(isAdmitted)).toHaveLength(1);
    expect(lines).toEqual([expect.stringContaining('rate limit')]);
  });

  it('holds while Redis is away, for each process', async () => {
    const gone = await startTestRedis();
    const connection = openRedis(gone.url, 'request', () => undefined);
    await untilReady(connection);
    const limiter = new RateLimiter(connection, log);
    await gone.stop();
    const [key, limit] = [aKey(), { limit: 20, windowSeconds: 600 }];
    expect((await askTimes(limiter, key, limit, 100)).filter(isAdmitted)).toHaveLength(20);
    // Longer than tokens drawn from Redis are kept.
    await sleep(2_300);
    expect((await askTimes(limiter, key, limit, 100)).filter(isAdmitted)).toEqual([]);
    connection.disconnect();
  });

  it('holds while Redis takes no writes, and is that of all processes again afterwards', async () => {
    const [key, limiter] = [aKey(), new RateLimiter(redis, log)];
    const limit = { limit: 50, windowSeconds: 600 };
    await redis.config('SET', 'min-replicas-to-write', '1');
    const alone = await askTimes(limiter, key, limit, 70);
    const bulk = await limiter.take(key, limit, 40);
    await redis.config('SET', 'min-replicas-to-write', '0');
    expect(alone.filter(isAdmitted)).toHaveLength(50);
    // 600 seconds are 12 for each.
    expect(alone.find((one) => !one.admitted)).toMatchObject({ retryAfterSeconds: 12 });
    const { retryAfterSeconds } = bulk as { retryAfterSeconds: number };
    expect(retryAfterSeconds).toBeGreaterThanOrEqual(480);
    const other = new RateLimiter(redis, log);
    expect((await askTimes(other, key, limit, 60)).filter(isAdmitted)).toHaveLength(50);
  });
});
