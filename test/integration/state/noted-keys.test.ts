import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { newId } from '../../../src/ids.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { keyIndexKey, stateKey } from '../../../src/redis/keys.ts';
import { commit } from '../../../src/state/commit.ts';
import { Transaction } from '../../../src/state/transaction.ts';
import { forgetGoneKeys } from '../../../src/state/workspace-keys.ts';
import { eventually } from '../../support/eventually.ts';
import { anEntry } from '../../support/redis/commits.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const HOUR_MS = 3_600_000;

let server: TestRedis;
let redis: RedisConnection;
let workspaceId: string;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'state', () => undefined);
  await untilReady(redis);
});

beforeEach(() => {
  workspaceId = newId('workspace');
});

afterEach(() => {
  vi.useRealTimers();
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

/** Writes to a key, and says whether its name was noted then. */
async function isNotedByWrite(name = 'things'): Promise<boolean> {
  await redis.del(keyIndexKey(workspaceId));
  const tx = new Transaction(redis, workspaceId);
  tx.hset(name, 'a', 'b');
  const now = Date.now();
  await commit(redis, anEntry({ workspaceId, notAfter: now + 10 * HOUR_MS }), tx, { result: '{}' }, '');
  const noted = await redis.zscore(keyIndexKey(workspaceId), name);
  if (noted !== null) expect(Math.abs(Number(noted) - now / 1_000)).toBeLessThan(60);
  return noted !== null;
}

it('a key is noted again within the hour only where the connection was lost', async () => {
  expect([await isNotedByWrite(), await isNotedByWrite()]).toEqual([true, false]);
  redis.disconnect(true);
  await eventually(() => redis.status === 'ready');
  expect([await isNotedByWrite(), await isNotedByWrite()]).toEqual([true, false]);
});

it('a key is noted again after an hour', async () => {
  expect(await isNotedByWrite()).toBe(true);
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + HOUR_MS - 60_000);
  expect(await isNotedByWrite()).toBe(false);
  vi.setSystemTime(Date.now() + 120_000);
  expect(await isNotedByWrite()).toBe(true);
});

it('a key that could not be noted is noted with the next write', async () => {
  vi.spyOn(redis, 'zadd').mockRejectedValueOnce(new Error('not now'));
  expect([await isNotedByWrite(), await isNotedByWrite(), await isNotedByWrite()]).toEqual([
    false,
    true,
    false,
  ]);
});

it('hundreds of names are forgotten whose keys are gone, and those that are not count as noted now', async () => {
  const longAgo = Math.floor(Date.now() / 1_000) - 3 * 3_600;
  const names = Array.from({ length: 450 }, (_, n) => `key:${n}`);
  await redis.zadd(keyIndexKey(workspaceId), ...names.flatMap((name) => [longAgo, name]));
  const kept = names.filter((_, n) => n % 3 === 0);
  for (const name of kept) await redis.hset(stateKey(workspaceId, name), 'a', 'b');
  await forgetGoneKeys(redis, workspaceId);
  const left = await redis.zrange(keyIndexKey(workspaceId), '0', '-1', 'WITHSCORES');
  expect(left.filter((_, at) => at % 2 === 0).sort()).toEqual(kept.sort());
  for (const score of left.filter((_, at) => at % 2 === 1))
    expect(Number(score)).toBeGreaterThan(longAgo + 3_600);
});

it('names of two hours ago may be forgotten, later ones stay', async () => {
  const now = Math.floor(Date.now() / 1_000);
  await redis.zadd(keyIndexKey(workspaceId), now - 7_201, 'older', now - 7_000, 'later');
  await forgetGoneKeys(redis, workspaceId);
  expect(await redis.zrange(keyIndexKey(workspaceId), '0', '-1')).toEqual(['later']);
});

it('a key is noted when it is made while the memory of Redis is full', async () => {
  const tx = new Transaction(redis, workspaceId);
  tx.hset('due', 'a', 'b');
  await redis.config('SET', 'maxmemory', '1');
  try {
    // What an order adds may be what frees memory later.
    const entry = anEntry({ workspaceId, notAfter: Date.now() + HOUR_MS });
    await commit(redis, entry, tx, { result: '{}', of: 'order' }, '');
    expect(await redis.exists(stateKey(workspaceId, 'due'))).toBe(1);
    await eventually(async () => (await redis.zscore(keyIndexKey(workspaceId), 'due')) !== null);
    // What is refused makes no key.
    const refused = new Transaction(redis, workspaceId);
    refused.hset('refused', 'a', 'b');
    const other = anEntry({ workspaceId, notAfter: Date.now() + HOUR_MS });
    await expect(commit(redis, other, refused, { result: '{}' }, '')).rejects.toThrow();
    expect(await redis.zscore(keyIndexKey(workspaceId), 'refused')).toBeNull();
  } finally {
    await redis.config('SET', 'maxmemory', '0');
  }
});

it('a key is noted again if a failover has lost its name before the commit', async () => {
  const [other, name] = [new Redis(server.url), 'made-late'];
  await other.script('FLUSH');
  // The commit is sent by its text once the server does not know it: by then, its name was noted.
  const send = redis.eval.bind(redis) as (...args: unknown[]) => Promise<unknown>;
  const sent = vi.spyOn(redis, 'eval').mockImplementationOnce((async (...args: unknown[]) => {
    expect(await other.zrem(keyIndexKey(workspaceId), name)).toBe(1);
    redis.disconnect(true);
    return send(...args);
  }) as never);
  const tx = new Transaction(redis, workspaceId);
  tx.hset(name, 'a', 'b');
  await commit(redis, anEntry({ workspaceId }), tx, { result: '{}' }, '');
  expect(sent).toHaveBeenCalledOnce();
  await eventually(async () => (await other.zscore(keyIndexKey(workspaceId), name)) !== null);
  other.disconnect();
});
