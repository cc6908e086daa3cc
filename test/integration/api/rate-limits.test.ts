import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordsKey } from '../../../src/directory/records.ts';
import { type ApiAnswer, TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start({ KEY_RATE_LIMIT: '40/3600' });
});
afterAll(() => api.stop());

/** A key of a new workspace that may do what the tests do. */
async function aKey(rateLimit?: object | null) {
  const { workspaceId } = await api.aTenant();
  return api.ok('POST', '/v1/api-keys', {
    name: 'Key',
    scopes: ['workspaces:read', 'keys:write'],
    workspaceId,
    ...(rateLimit === undefined ? {} : { rateLimit }),
  });
}

const list = (key: string) => api.request('GET', '/v1/workspaces', undefined, { key });

/** What the `RateLimit` field says. */
function told({ headers }: ApiAnswer): { remaining: number; reset: number } {
  const match = /^"key";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '');
  if (!match) throw new Error(`RateLimit: ${headers.get('ratelimit')}`);
  return { remaining: Number(match[1]), reset: Number(match[2]) };
}

describe('the rate limit of an API key', () => {
  test('is told with every answer, and counts down', async () => {
    const { secret, rateLimit } = await aKey({ limit: 5, windowSeconds: 3_600 });
    expect(rateLimit).toEqual({ limit: 5, windowSeconds: 3_600 });
    for (const remaining of [4, 3, 2, 1, 0]) {
      const answer = await list(secret);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('ratelimit-policy')).toBe('"key";q=5;w=3600');
      expect(told(answer)).toEqual({ remaining, reset: 720 });
    }
    const refused = await list(secret);
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'rate_limited', status: 429, retryable: true },
    });
    expect(refused.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(refused.headers.get('ratelimit-policy')).toBe('"key";q=5;w=3600');
    const { remaining, reset } = told(refused);
    expect(remaining).toBe(0);
    expect(reset).toBeGreaterThan(600);
    expect(refused.headers.get('retry-after')).toBe(String(reset));
  });

  test('counts what is refused for other reasons too', async () => {
    const { secret } = await aKey({ limit: 3, windowSeconds: 3_600 });
    const wrong = [
      await api.request('GET', '/v1/nothing', undefined, { key: secret }),
      await api.request('PUT', '/v1/workspaces', undefined, { key: secret }),
      await api.request('GET', '/v1/workspaces?limit=0', undefined, { key: secret }),
    ];
    expect(wrong.map(({ status }) => status)).toEqual([404, 405, 400]);
    expect(wrong.map((answer) => told(answer).remaining)).toEqual([2, 1, 0]);
    expect((await list(secret)).status).toBe(429);
  });

  test('counts no request to what is public, and none of the root key', async () => {
    const { secret } = await aKey({ limit: 1, windowSeconds: 3_600 });
    for (let i = 0; i < 3; i += 1) {
      const live = await api.request('GET', '/livez', undefined, { key: secret });
      expect([live.status, live.headers.get('ratelimit')]).toEqual([200, null]);
    }
    expect((await list(secret)).status).toBe(200);
    for (let i = 0; i < 50; i += 1)
      expect((await list(api.rootKey)).headers.get('ratelimit-policy')).toBeNull();
  });

  test('can be changed and taken away', async () => {
    const { secret, id } = await aKey({ limit: 1, windowSeconds: 3_600 });
    const statuses = async (count: number) => {
      const found = [];
      for (let i = 0; i < count; i += 1) found.push((await list(secret)).status);
      return found;
    };
    expect(await statuses(2)).toEqual([200, 429]);
    const rateLimit = { limit: 1_000, windowSeconds: 1 };
    expect(await api.ok('PATCH', `/v1/api-keys/${id}`, { rateLimit })).toMatchObject({ rateLimit });
    expect(await statuses(5)).toEqual([200, 200, 200, 200, 200]);
    await api.ok('PATCH', `/v1/api-keys/${id}`, { rateLimit: null });
    expect((await list(secret)).headers.get('ratelimit-policy')).toBe('"key";q=40;w=3600');
  });

  test('is that of the setting for a key that has none', async () => {
    const { secret, rateLimit } = await aKey();
    expect(rateLimit).toBeNull();
    const answer = await list(secret);
    expect(answer.headers.get('ratelimit-policy')).toBe('"key";q=40;w=3600');
    expect(told(answer)).toEqual({ remaining: 39, reset: 90 });
  });

  test('is none for a key that was made before there were any', async () => {
    const { secret: _, ...made } = await aKey();
    const stored = await api.redis.hget(recordsKey('api-keys'), made.id);
    const { rateLimit: __, ...old } = JSON.parse(stored ?? '');
    await api.redis.hset(recordsKey('api-keys'), made.id, JSON.stringify(old));
    expect(await api.ok('GET', `/v1/api-keys/${made.id}`)).toEqual(made);
    const { data } = await api.ok('GET', '/v1/api-keys?limit=100');
    expect(data).toContainEqual(made);
  });

  test.each([
    [{ limit: 0, windowSeconds: 60 }, '/rateLimit/limit'],
    [{ limit: -1, windowSeconds: 60 }, '/rateLimit/limit'],
    [{ limit: 1.5, windowSeconds: 60 }, '/rateLimit/limit'],
    [{ limit: '10', windowSeconds: 60 }, '/rateLimit/limit'],
    [{ limit: 1_000_001, windowSeconds: 60 }, '/rateLimit/limit'],
    [{ limit: 10 }, '/rateLimit/windowSeconds'],
    [{ limit: 10, windowSeconds: 0 }, '/rateLimit/windowSeconds'],
    [{ limit: 10, windowSeconds: 86_401 }, '/rateLimit/windowSeconds'],
    [{ limit: 10, windowSeconds: 1, burst: 3 }, '/rateLimit/burst'],
    ['100/60', '/rateLimit'],
    [[], '/rateLimit'],
  ])('%j is refused', async (rateLimit, pointer) => {
    const { id, workspaceId } = await aKey();
    const wanted = { name: 'x', scopes: ['calls:write'], workspaceId, rateLimit };
    const wrong = { status: 400, body: { code: 'invalid_body', errors: [{ pointer }] } };
    expect(await api.request('POST', '/v1/api-keys', wanted)).toMatchObject(wrong);
    expect(await api.request('PATCH', `/v1/api-keys/${id}`, { rateLimit })).toMatchObject(wrong);
  });

  test('is not loosened by a key that has one', async () => {
    const { secret, id, workspaceId } = await aKey({ limit: 20, windowSeconds: 10 });
    const change = async (rateLimit: object | null) =>
      (await api.request('PATCH', `/v1/api-keys/${id}`, { rateLimit }, { key: secret })).status;
    expect(await change(null)).toBe(403);
    expect(await change({ limit: 21, windowSeconds: 100 })).toBe(403);
    expect(await change({ limit: 10, windowSeconds: 1 })).toBe(403);
    const wanted = { name: 'x', scopes: ['workspaces:read'], workspaceId };
    expect((await api.request('POST', '/v1/api-keys', wanted, { key: secret })).status).toBe(403);
    const limited = { ...wanted, rateLimit: { limit: 20, windowSeconds: 10 } };
    expect((await api.request('POST', '/v1/api-keys', limited, { key: secret })).status).toBe(201);
    expect(await change({ limit: 20, windowSeconds: 20 })).toBe(200);
  });

  test('tells a request with more calls than it ever allows how many it may have, and no time to come back', async () => {
    const { workspaceId } = await api.aTenant();
    const rateLimit = { limit: 10, windowSeconds: 3_600 };
    const wanted = { name: 'x', scopes: ['calls:write'], workspaceId, rateLimit };
    const { secret } = await api.ok('POST', '/v1/api-keys', wanted);
    const bulk = (calls: number) =>
      api.request(
        'POST',
        `/workspaces/${workspaceId}/calls`,
        { calls: Array(calls).fill({}) },
        { key: secret },
      );
    const never = await bulk(11);
    expect(never).toMatchObject({
      status: 400,
      body: { code: 'invalid_body', retryable: false, errors: [{ pointer: '/calls' }] },
    });
    expect(never.body.errors[0].detail).toContain('At most 10 in one request');
    expect(never.headers.get('retry-after')).toBeNull();
    expect((await bulk(5)).status).toBe(200);
    // One went with the request that was refused, five with the next, and one with this: three are left and seven are needed.
    const later = await bulk(8);
    expect(later.status).toBe(429);
    expect(Number(later.headers.get('retry-after'))).toBeGreaterThan(4 * 360 - 10);
  });

  test('shows in the metrics how many requests it refused', async () => {
    const { secret } = await aKey({ limit: 1, windowSeconds: 3_600 });
    const refused = async () => {
      const { body } = await api.request('GET', '/metrics');
      return Number(/^switchboard_rate_limited_total (\d+)$/m.exec(body)?.[1]);
    };
    const before = await refused();
    for (let i = 0; i < 4; i += 1) await list(secret);
    // They are collected once a second at most.
    await eventually(async () => (await refused()) === before + 3);
  });
});
