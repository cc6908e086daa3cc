import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateApiKey } from '../../../src/directory/key-format.ts';
import { SCOPES, type Scope } from '../../../src/directory/scopes.ts';
import { TestApi } from '../../support/api/api.ts';
import { appendUpdates } from '../../support/api/append-update.ts';
import {
  addressIn,
  aSeededTenant,
  BODIES,
  namesTenant,
  type Route,
  type Tenant,
  withAbsentIds,
} from '../../support/api/tenant-routes.ts';
import { type OpenapiDocument, queryNames } from '../../support/http/hostile-requests.ts';

const DOCUMENTS = [
  '/',
  '/openapi.json',
  '/openapi-shallow.json',
  '/asyncapi.json',
  '/docs',
  '/console',
  '/assets/:version/*',
  '/problems',
  '/problems/:code',
];
const PUBLIC = new Set(['/livez', '/readyz', ...DOCUMENTS]);
/** What every key may read: it tells of no tenant. */
const SCOPELESS = new Set(['/v1/methods', '/v1/methods/:name']);
const ROOT_ONLY = new Set(['POST /v1/organizations']);
const ALL_SCOPES = Object.keys(SCOPES).filter((scope) => scope !== 'metrics:read') as Scope[];
const PLACES = ['organizationId', 'workspaceId', 'messengerAccountId'] as const;

let api: TestApi;
let closed: Route[];
let document: OpenapiDocument;
let tenant: Tenant;
let other: Tenant;
let sibling: Tenant;
let foreignKeys: Record<string, string>;
let ownKeys: string[];
let deadKeys: Record<string, string | null>;

beforeAll(async () => {
  api = await TestApi.start();
  tenant = await aSeededTenant(api);
  other = await aSeededTenant(api);
  sibling = await aSeededTenant(api, tenant);
  foreignKeys = {
    "a foreign organization's": await api.aKey({ organizationId: other.organizationId }, ALL_SCOPES),
    "a foreign workspace's": await api.aKey({ workspaceId: other.workspaceId }, ALL_SCOPES),
    'a workspace next door': await api.aKey({ workspaceId: sibling.workspaceId }, ALL_SCOPES),
  };
  ownKeys = [
    await api.aKey({ organizationId: tenant.organizationId }, ALL_SCOPES),
    await api.aKey({ workspaceId: tenant.workspaceId }, ALL_SCOPES),
  ];
  deadKeys = { ...wrongKeys(), ...(await formerKeys()) };
  closed = api.routes.filter(({ path }) => !PUBLIC.has(path));
  document = (await api.request('GET', '/openapi.json')).body;
});
afterAll(() => api.stop());

function wrongKeys(): Record<string, string | null> {
  const good = ownKeys[0] as string;
  return {
    none: null,
    malformed: 'nonsense',
    'never issued': generateApiKey(),
    'longer than the root key': `${api.rootKey}x`,
    'shorter than the root key': api.rootKey.slice(1),
    'in another case': good.toLowerCase(),
    'with another checksum': `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`,
    endless: 'x'.repeat(10_000),
  };
}

async function formerKeys(): Promise<Record<string, string>> {
  const { workspaceId } = tenant;
  // Long enough that the key is made in time even if the machine stalls.
  const soon = new Date(Date.now() + 5_000).toISOString();
  const make = (body: object) => api.ok('POST', '/v1/api-keys', { name: 'x', scopes: ALL_SCOPES, ...body });
  const expired = await make({ workspaceId, expiresAt: soon });
  const revoked = await make({ workspaceId });
  await api.ok('DELETE', `/v1/api-keys/${revoked.id}`);
  const gone = await aSeededTenant(api, tenant);
  const ofWorkspace = await make({ workspaceId: gone.workspaceId });
  await api.ok('DELETE', `/v1/workspaces/${gone.workspaceId}?cascade=true`);
  const { organizationId } = await aSeededTenant(api);
  const ofOrganization = await make({ organizationId });
  await api.ok('DELETE', `/v1/organizations/${organizationId}?cascade=true`);
  await new Promise((resolve) => setTimeout(resolve, Date.parse(soon) - Date.now() + 50));
  return {
    expired: expired.secret,
    revoked: revoked.secret,
    'of a deleted workspace': ofWorkspace.secret,
    'of a deleted organization': ofOrganization.secret,
  };
}

function ask({ method, path }: Route, key: string | null, address = addressIn(tenant, path)) {
  const body = ['POST', 'PUT', 'PATCH'].includes(method) ? bodyOf({ method, path }, tenant) : undefined;
  return api.request(method, address, body, { key });
}

function bodyOf({ method, path }: Route, of: Tenant): object {
  return BODIES[`${method} ${path}`]?.(of) ?? { name: 'changed', params: {} };
}

/** Everything in Redis, and all that was asked of drivers. */
async function state(): Promise<string> {
  const keys = (await api.redis.keys('*')).sort();
  const hash = createHash('sha256').update(JSON.stringify(api.book.orders));
  for (const key of keys) {
    // The order of a hash in Redis is not part of its content.
    const isHash = (await api.redis.type(key)) === 'hash';
    const content = isHash ? JSON.stringify(Object.entries(await api.redis.hgetall(key)).sort()) : null;
    hash.update(key).update(content ?? (await api.redis.dumpBuffer(key)) ?? '');
  }
  return hash.digest('hex');
}

/** What a route is about, by the beginning of its path or, first, by its end. */
const SUBJECTS: readonly [path: RegExp, subject: string][] = [
  [/\/updates$/, 'updates'],
  [/^\/metrics$/, 'metrics'],
  [/^\/v1\/(scaling|pauses|workers|settings|audit)/, 'operate'],
  [/^\/workspaces\//, 'calls'],
  [/^\/v1\/calls/, 'calls'],
  [/^\/v1\/organizations/, 'organizations'],
  [/^\/v1\/workspaces/, 'workspaces'],
  [/^\/v1\/messenger-accounts/, 'accounts'],
  [/^\/v1\/api-keys/, 'keys'],
  [/^\/v1\/webhooks/, 'webhooks'],
];

/** The scope that a route has to need: one of reading for `GET`, one of writing for all else. */
function scopeOf({ method, path }: Route): string {
  const subject = SUBJECTS.find(([pattern]) => pattern.test(path))?.[1];
  if (subject === 'operate') return subject;
  return `${subject}:${method === 'GET' ? 'read' : 'write'}`;
}

/** The operations of the document whose query or body names something of a tenant. */
function operationsThatName(part: 'query' | 'body'): { route: Route; members: string[] }[] {
  return Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).flatMap(([verb, operation]) => {
      const inQuery = queryNames(document, operation);
      const schemas = JSON.stringify(Object.values(operation.requestBody?.content ?? {}));
      const named = PLACES.filter((place) =>
        part === 'query' ? inQuery.includes(place) : schemas.includes(`"${place}":`),
      );
      const route = { method: verb.toUpperCase(), path: path.replace(/\{([A-Za-z]+)\}/g, ':$1') };
      return named.length === 0 ? [] : [{ route, members: named }];
    }),
  );
}

test('there are routes to try, and something at each of their addresses', async () => {
  expect(closed.length).toBeGreaterThan(20);
  const getters = closed.filter((route) => route.method === 'GET' && namesTenant(route));
  expect(getters.length).toBeGreaterThan(5);
  for (const route of getters) expect([route, (await ask(route, api.rootKey)).status]).toEqual([route, 200]);
});

describe('every route that is not public', () => {
  test('answers 401 without a key and with one that is wrong or no longer good, and does nothing', async () => {
    const before = await state();
    for (const route of closed) {
      for (const [what, key] of Object.entries(deadKeys)) {
        const answer = await ask(route, key);
        const summary = [route, what, answer.status, answer.headers.get('www-authenticate')];
        const error = key === null ? '' : ', error="invalid_token"';
        expect(summary).toEqual([route, what, 401, `Bearer realm="Switchboard"${error}`]);
      }
    }
    expect(await state()).toBe(before);
  });

  test('answers 404 to a key that may not see what the path names, and does nothing', async () => {
    const named = closed.filter(namesTenant);
    expect(named.length).toBeGreaterThan(10);
    const before = await state();
    for (const route of named) {
      for (const [what, key] of Object.entries(foreignKeys)) {
        // A workspace next door has the same organization.
        if (what === 'a workspace next door' && route.path === '/v1/organizations/:id') continue;
        expect([route, what, (await ask(route, key)).status]).toEqual([route, what, 404]);
      }
    }
    expect(await state()).toBe(before);
  });

  test('answers that 404 word for word as if there were no such thing', async () => {
    for (const route of closed.filter(namesTenant)) {
      const foreign = await ask(route, Object.values(foreignKeys)[0] as string);
      const missing = await ask(route, api.rootKey, withAbsentIds(addressIn(tenant, route.path)));
      expect([route, missing.status, missing.body]).toEqual([route, 404, foreign.body]);
    }
  });

  test('answers 404 where its own workspace is named with an account of another', async () => {
    const mixed = closed.filter(({ path }) => path.includes(':workspaceId') && path.includes(':accountId'));
    expect(mixed.length).toBeGreaterThan(0);
    for (const route of mixed) {
      for (const from of [other, sibling]) {
        const fixtures = { ...tenant.fixtures, ':accountId': from.accountId };
        const answer = await ask(route, api.rootKey, addressIn({ fixtures }, route.path));
        expect([route, answer.status]).toEqual([route, 404]);
      }
    }
  });

  test('answers 403 to a key with every scope but the one it takes, and does nothing', async () => {
    const powerless = await api.aKey({ workspaceId: tenant.workspaceId }, ['webhooks:read']);
    const powerlessToo = await api.aKey({ workspaceId: tenant.workspaceId }, ['calls:read']);
    const before = await state();
    const needed = new Map<Route, Scope>();
    for (const route of closed.filter(({ path, method }) => !SCOPELESS.has(path) && method !== 'HEAD')) {
      const [first, second] = [await ask(route, powerless), await ask(route, powerlessToo)];
      const refusal = first.status === 403 ? first : second;
      expect([route, refusal.status]).toEqual([route, 403]);
      const scope = /with the scope ([a-z]+(?::[a-z]+)?): /.exec(refusal.body.detail)?.[1];
      if (scope === undefined) expect(ROOT_ONLY).toContain(`${route.method} ${route.path}`);
      else needed.set(route, scope as Scope);
    }
    for (const [route, scope] of needed) expect([route, scope]).toEqual([route, scopeOf(route)]);
    expect(await state()).toBe(before);
    const others = new Map<Scope, string>();
    for (const scope of new Set(needed.values())) {
      const scopes = ALL_SCOPES.filter((each) => each !== scope);
      others.set(scope, await api.aKey({ organizationId: tenant.organizationId }, scopes));
    }
    const ready = await state();
    for (const [route, scope] of needed) {
      const answer = await ask(route, others.get(scope) as string);
      expect([route, scope, answer.status]).toEqual([route, scope, 403]);
      expect(answer.body.detail).toContain(scope);
      if (route.method !== 'GET') continue;
      const head = await ask({ ...route, method: 'HEAD' }, others.get(scope) as string);
      expect([route, 'HEAD', head.status]).toEqual([route, 'HEAD', 403]);
    }
    expect(await state()).toBe(ready);
  });

  test('answers a key that reads with nothing of others, whatever the query names', async () => {
    const narrowed = operationsThatName('query').filter(({ route }) => route.method === 'GET');
    expect(narrowed.length).toBeGreaterThan(3);
    for (const { route, members } of narrowed) {
      for (const [what, key] of Object.entries(foreignKeys)) {
        const from = what === 'a workspace next door' ? sibling : other;
        for (const member of members) {
          const id = idOf(tenant, member);
          const answer = await ask(route, key, `${addressIn(from, route.path)}?${member}=${id}`);
          expect([route, member, [200, 400, 404].includes(answer.status)]).toEqual([route, member, true]);
          const theirs = [tenant.workspaceId, tenant.accountId, tenant.fixtures['/v1/api-keys/:id']];
          const shown = theirs.filter((each) => JSON.stringify(answer.body).includes(`"${each}"`));
          expect([route, member, what, shown]).toEqual([route, member, what, []]);
        }
      }
    }
  });

  test('refuses a body that names what the key may not see, as if there were no such thing', async () => {
    const naming = operationsThatName('body').filter(({ route }) => route.method === 'POST');
    expect(naming.length).toBeGreaterThan(2);
    for (const { route } of naming) {
      const make = BODIES[`${route.method} ${route.path}`];
      if (make === undefined)
        throw new Error(`Say in BODIES of test/support/api/tenant-routes.ts what ${route.path} takes.`);
      const key = foreignKeys["a foreign organization's"] as string;
      const before = await state();
      const foreign = await api.request(route.method, addressIn(other, route.path), make(tenant), { key });
      const unknown = JSON.parse(withAbsentIds(JSON.stringify(make(tenant))));
      const missing = await api.request(route.method, addressIn(other, route.path), unknown, { key });
      expect([route, foreign.status, foreign.body]).toEqual([route, 404, missing.body]);
      expect(await state()).toBe(before);
    }
  });

  test('never answers 401, 403 for a scope, or 500 to a key that may', async () => {
    const harmless = closed.filter(({ method, path }) => method !== 'DELETE' && path !== '/metrics');
    for (const route of harmless) {
      for (const key of [api.rootKey, ...ownKeys]) {
        // Nothing runs calls here.
        if (route.path.startsWith('/workspaces/')) continue;
        const answer = await ask(route, key);
        expect([route, [401, 500].includes(answer.status)]).toEqual([route, false]);
        expect([route, String(answer.body.detail).includes('scope')]).toEqual([route, false]);
      }
    }
  });
});

function idOf({ organizationId, workspaceId, accountId }: Tenant, member: string): string {
  return { organizationId, workspaceId }[member] ?? accountId;
}

describe('an update stream', () => {
  const queries = (offset: string) =>
    ['', 'live=long-poll&', 'live=sse&'].flatMap((live) =>
      [
        `offset=${offset}`,
        'offset=-1',
        `offset=-1&messengerAccountId=${tenant.accountId}`,
        `offset=-1&messengerAccountId=${tenant.accountId}&messengerAccountId=${other.accountId}`,
        'offset=-1&kind=RawUpdateConfig',
        `offset=-1&workspaceId=${tenant.workspaceId}`,
      ].map((query) => `${live}${query}`),
    );

  test('shows nothing of another workspace, however it is asked', async () => {
    for (const { workspaceId, accountId } of [tenant, other, sibling]) {
      await appendUpdates(api.redis, workspaceId, [{ accountId, value: `of ${workspaceId}` }]);
    }
    const foreign = await api.request('GET', `/v1/workspaces/${tenant.workspaceId}/updates`);
    const offset = foreign.headers.get('stream-next-offset') as string;
    expect(foreign.body).toHaveLength(1);
    for (const [of, key] of [
      [other, foreignKeys["a foreign workspace's"]],
      [sibling, foreignKeys['a workspace next door']],
    ] as const) {
      for (const query of queries(offset)) {
        const text = await readSome(`/v1/workspaces/${of.workspaceId}/updates?${query}`, key as string);
        expect([query, text.includes(tenant.workspaceId)]).toEqual([query, false]);
        const refused = await api.request(
          'GET',
          `/v1/workspaces/${tenant.workspaceId}/updates?${query}`,
          undefined,
          {
            key: key as string,
          },
        );
        expect([query, refused.status]).toEqual([query, 404]);
      }
    }
  });

  /** What comes within a moment. */
  async function readSome(path: string, key: string): Promise<string> {
    const signal = AbortSignal.timeout(300);
    let text = '';
    try {
      const answer = await fetch(`${api.url}${path}`, {
        headers: { authorization: `Bearer ${key}` },
        signal,
      });
      for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return text;
  }
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

test('a key that ends makes none that lasts longer', async () => {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const { workspaceId } = tenant;
  const own = { name: 'x', scopes: ['keys:write', 'calls:write'], workspaceId, expiresAt: at(3_600_000) };
  const { secret: key } = await api.ok('POST', '/v1/api-keys', own);
  const make = (expiresAt: string | null) => {
    const wanted = { name: 'x', scopes: ['calls:write'], workspaceId, expiresAt };
    return api.request('POST', '/v1/api-keys', wanted, { key });
  };
  for (const expiresAt of [null, at(3_700_000)]) {
    expect(await make(expiresAt)).toMatchObject({
      status: 403,
      body: { errors: [{ pointer: '/expiresAt' }] },
    });
  }
  expect((await make(at(3_500_000))).status).toBe(201);
});

test('a key gives no scope that it lacks', async () => {
  const { workspaceId } = tenant;
  const key = await api.aKey({ workspaceId }, ['keys:write', 'calls:write']);
  for (const scopes of [['updates:read'], ['calls:write', 'accounts:write'], ['metrics:read']]) {
    const answer = await api.request('POST', '/v1/api-keys', { name: 'x', scopes, workspaceId }, { key });
    expect(answer.status).toBe(403);
  }
});
