import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateApiKey } from '../../../src/store/key-format.ts';
import { SCOPES, type Scope } from '../../../src/store/scopes.ts';
import { TestApi } from '../../support/api.ts';

const PUBLIC = new Set(['/', '/livez', '/readyz', '/openapi.json', '/asyncapi.json', '/docs']);
/** What every key may read: it tells of no tenant. */
const SCOPELESS = new Set(['/v1/methods']);
const ALL_SCOPES = Object.keys(SCOPES).filter((scope) => scope !== 'metrics:read') as Scope[];

interface Route {
  method: string;
  path: string;
}

let api: TestApi;
let routes: Route[];
let tenant: Awaited<ReturnType<TestApi['aTenant']>> & { keyId: string };
let foreignKeys: string[];
let ownKeys: string[];
let powerlessKey: string;

beforeAll(async () => {
  api = await TestApi.start();
  const tenantOnly = await api.aTenant();
  const other = await api.aTenant();
  const { id: keyId } = await api.ok('POST', '/v1/api-keys', {
    name: 'x',
    scopes: ['calls:write'],
    workspaceId: tenantOnly.workspaceId,
  });
  tenant = { ...tenantOnly, keyId };
  foreignKeys = [
    await api.aKey({ organizationId: other.organizationId }, ALL_SCOPES),
    await api.aKey({ workspaceId: other.workspaceId }, ALL_SCOPES),
  ];
  ownKeys = [
    await api.aKey({ organizationId: tenant.organizationId }, ALL_SCOPES),
    await api.aKey({ workspaceId: tenant.workspaceId }, ALL_SCOPES),
  ];
  powerlessKey = await api.aKey({ workspaceId: tenant.workspaceId }, ['webhooks:read']);
  routes = api.routes;
});
afterAll(() => api.stop());

function addressOf({ path }: Route): string {
  const ids: Record<string, string> = {
    ':workspaceId': tenant.workspaceId,
    ':accountId': tenant.accountId,
    ':method': 'help.getSupport',
  };
  const ofCollection: Record<string, string> = {
    organizations: tenant.organizationId,
    workspaces: tenant.workspaceId,
    'messenger-accounts': tenant.accountId,
    'api-keys': tenant.keyId,
  };
  return path
    .replace(/\/([a-z-]+)\/:id\b/, (_, collection) => `/${collection}/${ofCollection[collection]}`)
    .replace(/:[A-Za-z]+/g, (parameter) => ids[parameter] ?? 'call_01h455vb4pex5vsknk084sn02q');
}

function closed(): Route[] {
  return routes.filter(({ path }) => !PUBLIC.has(path));
}

function ask({ method, path }: Route, key: string | null) {
  const body = ['POST', 'PUT', 'PATCH'].includes(method) ? {} : undefined;
  return api.request(method, addressOf({ method, path }), body, { key });
}

test('there are routes to try', () => {
  expect(closed().length).toBeGreaterThan(20);
});

describe('every route that is not public', () => {
  test('answers 401 without a key and with a wrong one', async () => {
    for (const route of closed()) {
      for (const key of [null, 'nonsense', generateApiKey(), `${api.rootKey}x`, api.rootKey.slice(1)]) {
        const answer = await ask(route, key);
        expect([route, answer.status, answer.headers.get('www-authenticate')]).toEqual([
          route,
          401,
          'Bearer',
        ]);
      }
    }
  });

  test('answers 404 to a key that may not see what the path names', async () => {
    const named = closed().filter(({ path }) => path.includes(':'));
    expect(named.length).toBeGreaterThan(10);
    for (const route of named) {
      for (const key of foreignKeys) {
        const answer = await ask(route, key);
        expect([route, answer.status]).toEqual([route, 404]);
      }
    }
  });

  test('answers that 404 word for word as if there were no such thing', async () => {
    const named = closed().filter(({ method, path }) => path.includes(':') && method !== 'HEAD');
    for (const route of named) {
      const foreign = await ask(route, foreignKeys[0] as string);
      const absent = addressOf(route).replace(/_[0-9a-z]{26}/g, '_01h455vb4pex5vsknk084sn02q');
      const body = ['POST', 'PUT', 'PATCH'].includes(route.method) ? {} : undefined;
      const missing = await api.request(route.method, absent, body);
      expect([route, missing.status, missing.body]).toEqual([route, 404, foreign.body]);
    }
  });

  test('answers 403 to a key without the scope', async () => {
    for (const route of closed().filter(({ path }) => !SCOPELESS.has(path))) {
      const answer = await ask(route, powerlessKey);
      expect([route, answer.status]).toEqual([route, 403]);
    }
  });

  test('never answers 401, 403 for a scope, or 500 to a key that may', async () => {
    const harmless = closed().filter(({ method, path }) => method !== 'DELETE' && path !== '/metrics');
    for (const route of harmless) {
      for (const key of [api.rootKey, ...ownKeys]) {
        const answer = await ask(route, key);
        expect([route, [401, 500].includes(answer.status)]).toEqual([route, false]);
        expect([route, String(answer.body.detail).includes('scope')]).toEqual([route, false]);
      }
    }
  });
});

test('the scheme is read in any case, and spaces after it are allowed', async () => {
  for (const authorization of [`bearer ${api.rootKey}`, `BEARER   ${api.rootKey} `]) {
    const answer = await api.request('GET', '/v1/organizations', undefined, {
      key: null,
      headers: { authorization },
    });
    expect(answer.status).toBe(200);
  }
  for (const authorization of [
    api.rootKey,
    `Basic ${api.rootKey}`,
    `Bearer${api.rootKey}`,
    'Bearer',
    'Bearer a b',
  ]) {
    const answer = await api.request('GET', '/v1/organizations', undefined, {
      key: null,
      headers: { authorization },
    });
    expect(answer.status).toBe(401);
  }
});

test("a workspace's key sees its organization but does not change it, and makes no workspaces", async () => {
  const key = ownKeys[1] as string;
  const path = `/v1/organizations/${tenant.organizationId}`;
  expect((await api.request('GET', path, undefined, { key })).status).toBe(200);
  expect((await api.request('PATCH', path, { name: 'x' }, { key })).status).toBe(403);
  expect((await api.request('DELETE', path, undefined, { key })).status).toBe(403);
  const wanted = { name: 'x', organizationId: tenant.organizationId };
  expect((await api.request('POST', '/v1/workspaces', wanted, { key })).status).toBe(403);
  expect(
    (
      await api.request('POST', '/v1/workspaces', wanted, {
        key: ownKeys[0] as string,
      })
    ).status,
  ).toBe(201);
});

test('only the root key makes organizations', async () => {
  for (const key of ownKeys) {
    expect((await api.request('POST', '/v1/organizations', { name: 'x' }, { key })).status).toBe(403);
  }
});
