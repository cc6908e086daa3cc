import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiAnswer, TestApi } from '../../support/api/api.ts';

let api: TestApi;
let tenant: Awaited<ReturnType<TestApi['aTenant']>>;
let other: Awaited<ReturnType<TestApi['aTenant']>>;
const workspaceIds: string[] = [];

beforeAll(async () => {
  api = await TestApi.start();
  tenant = await api.aTenant();
  other = await api.aTenant();
  workspaceIds.push(tenant.workspaceId);
  for (let count = 0; count < 24; count++) {
    const body = { name: `w${count}`, organizationId: tenant.organizationId };
    workspaceIds.push((await api.ok('POST', '/v1/workspaces', body)).id);
  }
});
afterAll(() => api.stop());

function ids(answer: ApiAnswer['body']): string[] {
  return answer.data.map(({ id }: { id: string }) => id);
}

test('a page has twenty items, in order of creation, and says whether there are more', async () => {
  const first = await api.ok('GET', `/v1/workspaces?organizationId=${tenant.organizationId}`);
  expect(ids(first)).toEqual(workspaceIds.slice(0, 20));
  expect(first).toMatchObject({
    hasMore: true,
    cursors: { next: expect.any(String), previous: null },
  });
  const path = `/v1/workspaces?organizationId=${tenant.organizationId}&startingAfter=${first.cursors.next}`;
  const second = await api.ok('GET', path);
  expect(ids(second)).toEqual(workspaceIds.slice(20));
  expect(second).toMatchObject({
    hasMore: false,
    cursors: { next: null, previous: expect.any(String) },
  });
  const back = `/v1/workspaces?organizationId=${tenant.organizationId}&limit=3&endingBefore=${second.cursors.previous}`;
  expect(ids(await api.ok('GET', back))).toEqual(workspaceIds.slice(17, 20));
});

test.each(['1', '20', '20.0', '100', '100.000'])('limit=%s is one', async (limit) => {
  const page = await api.ok('GET', `/v1/workspaces?limit=${limit}`);
  expect(page.data.length).toBe(Math.min(Number(limit), workspaceIds.length + 1));
});

test.each([
  'limit=0',
  'limit=101',
  'limit=-1',
  'limit=1.5',
  `limit=1.${'0'.repeat(100)}`,
  'limit=1e1',
  'limit=%2B1',
  'limit=0x10',
  'limit=',
  'limit',
  'limit=%20',
  'limit=NaN',
  'limit=1&limit=2',
  'limit=99999999999999999999',
  'startingAfter=',
  'endingBefore=',
  'organizationId=',
  'organizationId=a&organizationId=b',
  'startingAfter=a&startingAfter=b',
  'unknown=1',
  'LIMIT=1',
  '=1',
  '__proto__=1',
  'constructor=1',
  'limit%5B%5D=1',
  'workspaceId=x',
])('?%s is refused', async (query) => {
  const answer = await api.request('GET', `/v1/workspaces?${query}`);
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'invalid_query' },
  });
});

test('both cursors at once are refused, whatever they are', async () => {
  const { cursors } = await api.ok('GET', '/v1/workspaces?limit=1');
  for (const cursor of [cursors.next, 'nonsense']) {
    const answer = await api.request('GET', `/v1/workspaces?startingAfter=${cursor}&endingBefore=${cursor}`);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'conflicting_parameters' },
    });
  }
});

test('a cursor is refused where it was not made, always with the same words', async () => {
  const { cursors } = await api.ok('GET', '/v1/workspaces?limit=1');
  const key = await api.aKey({ organizationId: tenant.organizationId }, ['workspaces:read']);
  const cursor = cursors.next;
  const flipped = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A');
  const paths: [string, string | undefined][] = [
    [`/v1/organizations?startingAfter=${cursor}`, undefined],
    [`/v1/workspaces?startingAfter=${cursor}&organizationId=${tenant.organizationId}`, undefined],
    [`/v1/workspaces?startingAfter=${cursor}`, key],
    [`/v1/workspaces?startingAfter=${flipped}`, undefined],
    [`/v1/workspaces?startingAfter=${cursor}%3D`, undefined],
    [`/v1/workspaces?startingAfter=${cursor}%00`, undefined],
    ['/v1/workspaces?startingAfter=%zz', undefined],
    ['/v1/workspaces?endingBefore=AAAA', undefined],
    [`/v1/workspaces?endingBefore=${tenant.workspaceId}`, undefined],
  ];
  const bodies = new Set<string>();
  for (const [path, as] of paths) {
    const answer = await api.request('GET', path, undefined, as === undefined ? {} : { key: as });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_cursor' },
    });
    bodies.add(JSON.stringify(answer.body));
  }
  expect(bodies.size).toBe(1);
});

test('a cursor outlives the key it was given to, for another key that sees the same', async () => {
  const place = { organizationId: tenant.organizationId };
  const created = await api.ok('POST', '/v1/api-keys', {
    name: 'k',
    scopes: ['workspaces:read'],
    ...place,
  });
  const first = await api.ok('GET', '/v1/workspaces?limit=2', undefined, {
    key: created.secret,
  });
  await api.ok('DELETE', `/v1/api-keys/${created.id}`);
  const key = await api.aKey(place, ['workspaces:read']);
  const next = await api.ok('GET', `/v1/workspaces?limit=2&startingAfter=${first.cursors.next}`, undefined, {
    key,
  });
  expect(ids(next)).toEqual(workspaceIds.slice(2, 4));
});

test('each key sees what is its own, and a filter shows no more than that', async () => {
  const scopes = ['organizations:read', 'workspaces:read', 'accounts:read', 'keys:read'] as const;
  const ofOrganization = await api.aKey({ organizationId: tenant.organizationId }, [...scopes]);
  const ofWorkspace = await api.aKey({ workspaceId: tenant.workspaceId }, [...scopes]);
  const list = async (path: string, key: string) => ids(await api.ok('GET', path, undefined, { key }));

  expect(await list('/v1/organizations', ofOrganization)).toEqual([tenant.organizationId]);
  expect(await list('/v1/organizations', ofWorkspace)).toEqual([tenant.organizationId]);
  expect(await list('/v1/workspaces?limit=100', ofOrganization)).toEqual(workspaceIds);
  expect(await list('/v1/workspaces', ofWorkspace)).toEqual([tenant.workspaceId]);
  expect(await list('/v1/messenger-accounts', ofOrganization)).toEqual([tenant.accountId]);
  expect(await list('/v1/messenger-accounts', ofWorkspace)).toEqual([tenant.accountId]);

  const own = `/v1/workspaces?organizationId=${tenant.organizationId}`;
  expect(await list(`${own}&limit=100`, ofOrganization)).toEqual(workspaceIds);
  expect(await list(own, ofWorkspace)).toEqual([tenant.workspaceId]);
  const accounts = `/v1/messenger-accounts?workspaceId=`;
  expect(await list(accounts + tenant.workspaceId, ofOrganization)).toEqual([tenant.accountId]);
  expect(await list(accounts + tenant.workspaceId, ofWorkspace)).toEqual([tenant.accountId]);
  for (const key of [ofOrganization, ofWorkspace]) {
    for (const foreign of [
      `/v1/workspaces?organizationId=${other.organizationId}`,
      '/v1/workspaces?organizationId=nonsense',
      accounts + other.workspaceId,
    ]) {
      expect(await api.ok('GET', foreign, undefined, { key })).toEqual({
        data: [],
        hasMore: false,
        cursors: { next: null, previous: null },
      });
    }
  }
  expect(await list(accounts + (workspaceIds[1] ?? ''), ofWorkspace)).toEqual([]);
});
