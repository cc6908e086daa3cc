import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishDriverMethods } from '../../../src/directory/driver-methods.ts';
import { Problem } from '../../../src/problem.ts';
import { keyIndexKey, stateKey } from '../../../src/redis/keys.ts';
import { TestApi } from '../../support/api/api.ts';
import { eraseDeleted } from '../../support/redis/erase-deleted.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start({ PUBLIC_URL: 'https://gateway.example/beta/' });
});
afterAll(() => api.stop());

describe('organizations', () => {
  test('are created, read, renamed and deleted', async () => {
    const created = await api.request('POST', '/v1/organizations', {
      name: '  Acme ',
    });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^org_[0-9a-z]{26}$/),
      name: 'Acme',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const path = `/v1/organizations/${created.body.id}`;
    expect(created.headers.get('location')).toBe(`/beta${path}`);
    expect(await api.ok('GET', path)).toEqual(created.body);
    const patch = {
      headers: { 'content-type': 'application/merge-patch+json' },
    };
    expect(await api.ok('PATCH', path, { name: 'Beta' }, patch)).toEqual({
      ...created.body,
      name: 'Beta',
    });
    expect(await api.ok('PATCH', path, {})).toEqual({
      ...created.body,
      name: 'Beta',
    });
    const gone = await api.request('DELETE', path);
    expect([gone.status, gone.body]).toEqual([204, '']);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      expect(await api.request(method, path, method === 'PATCH' ? { name: 'x' } : undefined)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    }
  });

  test.each([
    [{}, '/name'],
    [{ name: '' }, '/name'],
    [{ name: '   ' }, '/name'],
    [{ name: 'x'.repeat(201) }, '/name'],
    [{ name: 'a\u0000b' }, '/name'],
    [{ name: 'a\nb' }, '/name'],
    [{ name: '\ud800' }, '/name'],
    [{ name: 7 }, '/name'],
    [{ name: null }, '/name'],
    [{ name: 'a', nmae: 'b' }, '/nmae'],
    [{ name: 'a', 'x/y~z': 1 }, '/x~1y~0z'],
    [JSON.parse('{"name":"a","__proto__":{"b":1}}'), '/__proto__'],
    [[], ''],
    [null, ''],
    ['text', ''],
  ])('%j is refused with a pointer to %j', async (body, pointer) => {
    const answer = await api.request('POST', '/v1/organizations', JSON.stringify(body));
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_body' },
    });
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual([pointer]);
  });

  test('what cannot be patched is refused', async () => {
    const { organizationId, workspaceId, accountId } = await api.aTenant();
    const wrong: [string, object][] = [
      [`organizations/${organizationId}`, { id: 'org_2' }],
      [`organizations/${organizationId}`, { name: null }],
      [`workspaces/${workspaceId}`, { organizationId }],
      [`messenger-accounts/${accountId}`, { driver: 'telegram' }],
      [`messenger-accounts/${accountId}`, { lane: 'slow' }],
    ];
    for (const [path, body] of wrong) {
      const answer = await api.request('PATCH', `/v1/${path}`, body);
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'invalid_body' },
      });
    }
  });
});

test('patches at the same time are all kept', async () => {
  const { accountId } = await api.aTenant();
  const path = `/v1/messenger-accounts/${accountId}`;
  const rename = Array.from({ length: 10 }, (_, index) => api.ok('PATCH', path, { name: `n${index}` }));
  await Promise.all([...rename, api.ok('PATCH', path, { strictPeers: true })]);
  expect((await api.ok('GET', path)).strictPeers).toBe(true);
});

describe('what belongs to something', () => {
  test('needs it to exist', async () => {
    const missing: [string, object, string][] = [
      ['workspaces', { name: 'x', organizationId: 'org_01h455vb4pex5vsknk084sn02q' }, '/organizationId'],
      ['workspaces', { name: 'x', organizationId: 'nonsense' }, '/organizationId'],
      ['messenger-accounts', { name: 'x', workspaceId: 'ws_01h455vb4pex5vsknk084sn02q' }, '/workspaceId'],
      ['api-keys', { name: 'x', scopes: ['calls:write'], workspaceId: 'ws_1' }, '/workspaceId'],
    ];
    for (const [collection, body, pointer] of missing) {
      const answer = await api.request('POST', `/v1/${collection}`, body);
      expect(answer).toMatchObject({
        status: 404,
        body: { code: 'not_found', errors: [{ pointer }] },
      });
    }
  });

  test('keeps it from being deleted, unless all is', async () => {
    const { organizationId, workspaceId, accountId } = await api.aTenant();
    const keyOfOrganization = await api.aKey({ organizationId }, ['workspaces:read']);
    const keyOfWorkspace = await api.aKey({ workspaceId }, ['workspaces:read']);
    for (const path of [`organizations/${organizationId}`, `workspaces/${workspaceId}`]) {
      for (const query of ['', '?cascade=false']) {
        const refused = await api.request('DELETE', `/v1/${path}${query}`);
        expect(refused).toMatchObject({
          status: 409,
          body: { code: 'not_empty' },
        });
      }
    }
    await api.redis.set(stateKey(workspaceId, 'x'), '1');
    await api.redis.zadd(keyIndexKey(workspaceId), 1, 'x');
    expect((await api.request('DELETE', `/v1/organizations/${organizationId}?cascade=true`)).status).toBe(
      204,
    );
    for (const path of [
      `organizations/${organizationId}`,
      `workspaces/${workspaceId}`,
      `messenger-accounts/${accountId}`,
    ]) {
      expect((await api.request('GET', `/v1/${path}`)).status).toBe(404);
    }
    for (const key of [keyOfOrganization, keyOfWorkspace]) {
      expect((await api.request('GET', '/v1/workspaces', undefined, { key })).status).toBe(401);
    }
    for (const list of ['workspaces', 'messenger-accounts', 'api-keys']) {
      const { data } = await api.ok('GET', `/v1/${list}?limit=100`);
      expect(JSON.stringify(data)).not.toContain(organizationId);
      expect(JSON.stringify(data)).not.toContain(workspaceId);
    }
    await eraseDeleted(api.redis);
    const left = await api.redis.keys(`*${workspaceId}*`);
    expect([...left, ...(await api.redis.keys(`*${organizationId}*`))]).toEqual([]);
  });
});

describe('messenger accounts', () => {
  test('have a driver that workers serve', async () => {
    const { workspaceId } = await api.aTenant();
    const body = { name: 'x', workspaceId, driver: 'telegram' };
    await publishDriverMethods(api.redis, 'sandbox', []);
    const refused = await api.request('POST', '/v1/messenger-accounts', body);
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_body' } });
    const detail = 'Must be a driver that workers serve: sandbox.';
    expect(refused.body.errors).toEqual([{ pointer: '/driver', detail }]);
    await publishDriverMethods(api.redis, 'telegram', []);
    expect(await api.ok('POST', '/v1/messenger-accounts', body)).toMatchObject({ driver: 'telegram' });
  });

  test('are connected by their driver before they are shown', async () => {
    const { workspaceId } = await api.aTenant();
    const wanted = {
      name: 'Alice',
      workspaceId,
      driver: 'sandbox',
      strictPeers: true,
    };
    const created = await api.request('POST', '/v1/messenger-accounts', wanted);
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^acc_/),
      name: 'Alice',
      workspaceId,
      driver: 'sandbox',
      status: 'active',
      userId: expect.any(Number),
      username: expect.any(String),
      phone: '+10000',
      bot: false,
      strictPeers: true,
      maxConcurrentCalls: null,
      createdAt: expect.any(String),
    });
    expect(await api.ok('GET', `/v1/messenger-accounts/${created.body.id}`)).toEqual(created.body);
  });

  test('leave nothing behind when their driver fails', async () => {
    const { workspaceId } = await api.aTenant();
    const path = `/v1/messenger-accounts?workspaceId=${workspaceId}`;
    const before = await api.ok('GET', path);
    api.book.failWith = new Problem('messenger_failed', {
      detail: 'The messenger is away.',
    });
    const answer = await api.request('POST', '/v1/messenger-accounts', {
      name: 'x',
      workspaceId,
    });
    api.book.failWith = null;
    expect(answer).toMatchObject({
      status: 502,
      body: { code: 'messenger_failed' },
    });
    expect(await api.ok('GET', path)).toEqual(before);
  });

  test('stay when their driver does not let them go', async () => {
    const { accountId } = await api.aTenant();
    api.book.failWith = new Problem('unavailable');
    expect((await api.request('DELETE', `/v1/messenger-accounts/${accountId}`)).status).toBe(503);
    api.book.failWith = null;
    expect((await api.request('DELETE', `/v1/messenger-accounts/${accountId}`)).status).toBe(204);
  });
});

describe('API keys', () => {
  test('show their secret once', async () => {
    const { workspaceId, organizationId } = await api.aTenant();
    const wanted = {
      name: 'CI',
      scopes: ['calls:write', 'calls:write'],
      workspaceId,
    };
    const created = await api.request('POST', '/v1/api-keys', wanted);
    expect(created.status).toBe(201);
    const { secret, ...record } = created.body;
    expect(secret).toMatch(/^sb_[0-9A-Za-z]{49}$/);
    expect(record).toEqual({
      id: expect.stringMatching(/^key_/),
      name: 'CI',
      scopes: ['calls:write'],
      organizationId,
      workspaceId,
      expiresAt: null,
      rateLimit: null,
      createdBy: null,
      createdAt: expect.any(String),
    });
    expect(await api.ok('GET', `/v1/api-keys/${record.id}`)).toEqual(record);
    const stored = await api.redis.hgetall('sb:{directory}:api-keys');
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(await api.ok('PATCH', `/v1/api-keys/${record.id}`, { name: 'x' })).toEqual({
      ...record,
      name: 'x',
    });
    expect((await api.request('PATCH', `/v1/api-keys/${record.id}`, { scopes: [] })).status).toBe(400);
  });

  test('are refused as soon as they are deleted or expired', async () => {
    const { workspaceId } = await api.aTenant();
    const get = (key: string) => api.request('GET', '/v1/workspaces', undefined, { key });
    // Long enough that the key is used in time even if the machine stalls.
    const expiry = Date.now() + 5_000;
    const short = await api.ok('POST', '/v1/api-keys', {
      name: 'x',
      scopes: ['workspaces:read'],
      workspaceId,
      expiresAt: new Date(expiry).toISOString(),
    });
    const long = await api.ok('POST', '/v1/api-keys', {
      name: 'x',
      scopes: ['workspaces:read'],
      workspaceId,
    });
    expect((await get(short.secret)).status).toBe(200);
    expect((await get(long.secret)).status).toBe(200);
    await api.ok('DELETE', `/v1/api-keys/${long.id}`);
    expect((await get(long.secret)).status).toBe(401);
    await new Promise((resolve) => setTimeout(resolve, expiry + 50 - Date.now()));
    expect((await get(short.secret)).status).toBe(401);
  });

  test.each([
    [{ scopes: [] }, '/scopes'],
    [{ scopes: ['calls:writ'] }, '/scopes/0'],
    [{ scopes: ['calls:write'], expiresAt: '2001-01-01T00:00:00Z' }, '/expiresAt'],
    [{ scopes: ['calls:write'], expiresAt: 'soon' }, '/expiresAt'],
    [{ scopes: ['calls:write'], expiresAt: '9999-12-31T23:59:59-23:59' }, '/expiresAt'],
    [{ scopes: ['calls:write'], organizationId: 'org_1' }, '/organizationId'],
    [{ scopes: ['calls:write'], workspaceId: undefined }, '/organizationId'],
  ])('%j is refused', async (members, pointer) => {
    const answer = await api.request('POST', '/v1/api-keys', {
      name: 'x',
      workspaceId: 'ws_1',
      ...members,
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_body', errors: [{ pointer }] },
    });
  });

  test('give no scope that they lack, and nothing outside of where they belong', async () => {
    const { organizationId, workspaceId } = await api.aTenant();
    const other = await api.aTenant();
    const key = await api.aKey({ workspaceId }, ['keys:write', 'calls:write']);
    const ask = (body: object) => api.request('POST', '/v1/api-keys', { name: 'x', ...body }, { key });
    expect((await ask({ scopes: ['calls:write'], workspaceId })).status).toBe(201);
    expect((await ask({ scopes: ['accounts:write'], workspaceId })).status).toBe(403);
    expect((await ask({ scopes: ['calls:write'], organizationId })).status).toBe(403);
    expect((await ask({ scopes: ['calls:write'], workspaceId: other.workspaceId })).status).toBe(404);
    expect(
      (
        await ask({
          scopes: ['calls:write'],
          organizationId: other.organizationId,
        })
      ).status,
    ).toBe(404);
  });
});
