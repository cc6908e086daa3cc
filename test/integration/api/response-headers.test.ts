import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestApi } from '../../support/api/api.ts';
import { addressIn, aSeededTenant, type Tenant } from '../../support/api/tenant-routes.ts';
import { exchange } from '../../support/http/raw-connection.ts';

const KEPT_BY_BROWSERS = new Set([
  '/openapi.json',
  '/openapi-shallow.json',
  '/asyncapi.json',
  '/docs',
  '/console',
]);

let api: TestApi;
let tenant: Tenant;

beforeAll(async () => {
  api = await TestApi.start();
  tenant = await aSeededTenant(api);
});
afterAll(() => api.stop());

test('every answer is of the type it says, is kept by nobody and names the version, and nothing else of what made it', async () => {
  for (const { method, path } of api.routes.filter((route) => route.method !== 'DELETE')) {
    for (const key of [api.rootKey, 'nobody']) {
      const body = ['POST', 'PUT', 'PATCH'].includes(method) ? {} : undefined;
      const { headers } = await api.request(method, addressIn(tenant, path), body, { key });
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
      const isEtagged = headers.has('etag');
      const kept = KEPT_BY_BROWSERS.has(path) || isEtagged ? /no-cache/ : /no-store/;
      expect([path, headers.get('cache-control')]).toEqual([path, expect.stringMatching(kept)]);
      expect([path, headers.get('server')]).toEqual([path, expect.stringMatching(/^switchboard\/[\w.-]+$/)]);
      expect([path, headers.get('x-powered-by')]).toEqual([path, null]);
    }
  }
});

test('so is every answer to what is no route and no HTTP', async () => {
  for (const [method, path] of [
    ['GET', '/nothing'],
    ['PROPFIND', '/v1/organizations'],
    ['GET', '/v1/organizations/%zz'],
  ] as const) {
    const { headers } = await api.request(method, path);
    expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
    expect([path, headers.get('cache-control')]).toEqual([path, 'no-store']);
    expect([path, headers.get('server')]).toEqual([path, expect.stringMatching(/^switchboard\//)]);
  }
  const [answer] = await exchange(api.url, 'GARBAGE\r\n\r\n');
  expect(answer?.headers).toMatchObject({
    ...{ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' },
    server: expect.stringMatching(/^switchboard\//),
  });
});

test('an update as live as can be is kept by nobody', async () => {
  const path = `/v1/workspaces/${tenant.workspaceId}/updates?offset=-1&live=sse`;
  const cut = new AbortController();
  const { headers } = await fetch(`${api.url}${path}`, {
    headers: { authorization: `Bearer ${api.rootKey}` },
    signal: cut.signal,
  });
  cut.abort();
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('private, no-cache, no-transform');
});

test('a list has a Link if the OpenAPI document says so', async () => {
  const { paths } = await api.ok('GET', '/openapi.json');
  const lists = api.routes.flatMap(({ method, path }) => {
    const operation = method === 'GET' ? paths[path.replace(/:([A-Za-z]+)/g, '{$1}')]?.get : undefined;
    return operation?.operationId.startsWith('list') ? [{ path, operation }] : [];
  });
  expect(lists.length).toBeGreaterThan(10);
  for (const { path, operation } of lists) {
    const { status, headers } = await api.request('GET', addressIn(tenant, path));
    const isSaid = 'Link' in (operation.responses[200].headers ?? {});
    expect([path, status, headers.has('link')]).toEqual([path, 200, isSaid]);
  }
});

test('no page of another origin is let in unless a setting says so', async () => {
  for (const { method, path } of api.routes.filter((route) => route.method === 'GET')) {
    const origin = { origin: 'https://evil.example' };
    const { headers } = await api.request(method, addressIn(tenant, path), undefined, { headers: origin });
    expect([path, headers.get('access-control-allow-origin')]).toEqual([path, null]);
  }
  const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
  const answer = await api.request('OPTIONS', '/v1/organizations', undefined, { headers: preflight });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, null]);
});

test('the page to read the API runs only its own script and is framed by nobody', async () => {
  const { headers } = await api.request('GET', '/docs');
  const policy = headers.get('content-security-policy') ?? '';
  for (const rule of [
    "default-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ]) {
    expect(policy).toContain(rule);
  }
  expect(policy).not.toContain('unsafe');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
});
