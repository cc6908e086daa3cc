import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordsKey } from '../../../src/directory/records.ts';
import { TestApi } from '../../support/api/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const COLLECTIONS = ['workspaces', 'messenger-accounts'] as const;

/** What a new record of the collection needs, and the path of one that is there. */
async function aRecord(collection: (typeof COLLECTIONS)[number]) {
  const { organizationId, workspaceId, accountId } = await api.aTenant();
  return collection === 'workspaces'
    ? { wanted: { name: 'New', organizationId }, id: workspaceId }
    : { wanted: { name: 'New', workspaceId }, id: accountId };
}

describe.each(COLLECTIONS)('the cap on concurrent calls of %s', (collection) => {
  test('is given, changed and taken away', async () => {
    const { wanted, id } = await aRecord(collection);
    const made = await api.ok('POST', `/v1/${collection}`, { ...wanted, maxConcurrentCalls: 3 });
    expect(made.maxConcurrentCalls).toBe(3);
    expect((await api.ok('POST', `/v1/${collection}`, wanted)).maxConcurrentCalls).toBeNull();
    for (const maxConcurrentCalls of [1, 1_000_000, null]) {
      const patched = await api.ok('PATCH', `/v1/${collection}/${id}`, { maxConcurrentCalls });
      expect(patched.maxConcurrentCalls).toBe(maxConcurrentCalls);
      expect(await api.ok('GET', `/v1/${collection}/${id}`)).toEqual(patched);
    }
  });

  test.each([0, -1, 1.5, 1_000_001, '3', true, [], {}])('%j is refused', async (maxConcurrentCalls) => {
    const { wanted, id } = await aRecord(collection);
    const wrong = {
      status: 400,
      body: { code: 'invalid_body', errors: [{ pointer: '/maxConcurrentCalls' }] },
    };
    const made = await api.request('POST', `/v1/${collection}`, { ...wanted, maxConcurrentCalls });
    expect(made).toMatchObject(wrong);
    expect(await api.request('PATCH', `/v1/${collection}/${id}`, { maxConcurrentCalls })).toMatchObject(
      wrong,
    );
  });

  test('is none for a record that was made before there were any', async () => {
    const { id } = await aRecord(collection);
    const known = await api.ok('GET', `/v1/${collection}/${id}`);
    const stored = await api.redis.hget(recordsKey(collection), id);
    const { maxConcurrentCalls: _, ...old } = JSON.parse(stored ?? '');
    await api.redis.hset(recordsKey(collection), id, JSON.stringify(old));
    expect(await api.ok('GET', `/v1/${collection}/${id}`)).toEqual(known);
  });

  test('is the operator’s when the root key has set it: others set that or less', async () => {
    const { id } = await aRecord(collection);
    const path = `/v1/${collection}/${id}`;
    const { organizationId } = JSON.parse((await api.redis.hget(recordsKey(collection), id)) ?? '');
    const key = await api.aKey({ organizationId }, ['workspaces:write', 'accounts:write']);
    const set = async (maxConcurrentCalls: number | null, by = key) =>
      (await api.request('PATCH', path, { maxConcurrentCalls }, { key: by })).status;
    expect([await set(7), await set(null), await set(9)]).toEqual([200, 200, 200]);
    expect(await set(5, api.rootKey)).toBe(200);
    expect([await set(6), await set(null), await set(2), await set(6), await set(5)]).toEqual([
      403, 403, 200, 403, 200,
    ]);
    expect(await api.ok('GET', path)).toMatchObject({ maxConcurrentCalls: 5 });
    expect([await set(null, api.rootKey), await set(1_000)]).toEqual([200, 200]);
  });

  test('is taken for the operator’s where nobody knows who has set it', async () => {
    const { id } = await aRecord(collection);
    const stored = JSON.parse((await api.redis.hget(recordsKey(collection), id)) ?? '');
    const { operatorCap: _, ...old } = { ...stored, maxConcurrentCalls: 3 };
    await api.redis.hset(recordsKey(collection), id, JSON.stringify(old));
    const { organizationId } = stored;
    const key = await api.aKey({ organizationId }, ['workspaces:write', 'accounts:write']);
    const set = async (maxConcurrentCalls: number | null) =>
      (await api.request('PATCH', `/v1/${collection}/${id}`, { maxConcurrentCalls }, { key })).status;
    expect([await set(4), await set(null), await set(3)]).toEqual([403, 403, 200]);
  });
});
