import { afterAll, beforeAll, expect, test } from 'vitest';
import { AUDIT_ENTRIES, AUDIT_LISTS, type AuditChange, appendAudit } from '../../../src/control/audit.ts';
import { isAskedToDrain } from '../../../src/fleet/drain.ts';
import { publishFigures } from '../../../src/fleet/fleet.ts';
import { idsSince } from '../../../src/ids.ts';
import { TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';

let api: TestApi;
let tenant: Awaited<ReturnType<TestApi['aTenant']>>;

beforeAll(async () => {
  api = await TestApi.start();
  tenant = await api.aTenant();
});
afterAll(() => api.stop());

const newest = async (query = '') => (await api.ok('GET', `/v1/audit?sort=-createdAt${query}`)).data;
const ROOT = { id: null, name: 'root key' };

test('tells of pauses who made them, and what was before', async () => {
  const target = { kind: 'lane', id: 'slow' };
  for (let n = 0; n < 2; n += 1)
    await api.ok('PUT', '/v1/pauses/lane/slow', { mode: 'wait', reason: 'a repair' });
  await api.ok('PUT', '/v1/pauses/lane/slow', { mode: 'refuse' });
  await api.ok('DELETE', '/v1/pauses/lane/slow');
  await api.ok('DELETE', '/v1/pauses/lane/slow');
  const [resumed, changed, paused, ...others] = await newest();
  const [wait, refuse] = [
    { mode: 'wait', reason: 'a repair' },
    { mode: 'refuse', reason: null },
  ];
  expect(paused).toMatchObject({ by: ROOT, action: 'pause', target, from: null, to: wait });
  expect(changed).toMatchObject({ by: ROOT, action: 'pause', target, from: wait, to: refuse });
  expect(resumed).toMatchObject({ by: ROOT, action: 'resume', target, from: refuse, to: null });
  expect(others).toEqual([]);
});

test('tells of changes of limits and rights what changed, and of no secret', async () => {
  const { organizationId, workspaceId } = tenant;
  const key = await api.ok('POST', '/v1/api-keys', {
    name: 'Admin',
    scopes: ['workspaces:write'],
    organizationId,
  });
  const path = `/v1/workspaces/${workspaceId}`;
  await api.ok('PATCH', path, { weight: 3, name: 'Workspace' });
  await api.ok('PATCH', path, { weight: 3 });
  await api.ok('PATCH', path, { maxConcurrentCalls: 5 }, { key: key.secret });
  const hook = { workspaceId, url: 'https://8.8.8.8/hook?token=hidden' };
  const webhook = await api.ok('POST', '/v1/webhooks', hook);
  await api.ok('POST', `/v1/webhooks/${webhook.id}/rotate-secret`);
  await api.ok('DELETE', `/v1/webhooks/${webhook.id}`);
  const [deleted, rotated, made, capped, weighed, granted] = await newest();
  expect(granted).toMatchObject({ by: ROOT, action: 'create', to: { scopes: ['workspaces:write'] } });
  const target = { kind: 'workspace', id: workspaceId };
  expect(weighed).toMatchObject({
    by: ROOT,
    action: 'change',
    target,
    from: { weight: 1 },
    to: { weight: 3 },
  });
  expect(capped).toMatchObject({
    by: { id: key.id, name: 'Admin' },
    action: 'change',
    target,
    from: { maxConcurrentCalls: null },
    to: { maxConcurrentCalls: 5 },
  });
  expect(made).toMatchObject({ action: 'create', target: { kind: 'webhook', id: webhook.id } });
  expect(rotated).toMatchObject({ action: 'rotate-secret', from: null, to: null });
  expect(deleted).toMatchObject({ action: 'delete', target: made.target, to: null });
  const kept = JSON.stringify(await api.redis.hvals(AUDIT_ENTRIES));
  for (const secret of ['hidden', key.secret, webhook.secret]) expect(kept).not.toContain(secret);
});

test('tells of a deletion whether what is beneath it went too', async () => {
  const { id: organizationId } = await api.ok('POST', '/v1/organizations', { name: 'Gone' });
  await api.ok('POST', '/v1/workspaces', { name: 'Beneath', organizationId });
  await api.ok('DELETE', `/v1/organizations/${organizationId}?cascade=true`);
  const { id } = await api.ok('POST', '/v1/organizations', { name: 'Alone' });
  await api.ok('DELETE', `/v1/organizations/${id}`);
  const [alone, whole] = await newest('&action=delete');
  expect(whole).toMatchObject({ target: { kind: 'organization', id: organizationId }, cascade: true });
  expect(alone.target.id).toBe(id);
  expect(alone).not.toHaveProperty('cascade');
});

test('tells of an account or a webhook only what has changed of it, and that its URL has', async () => {
  await api.ok('PATCH', `/v1/messenger-accounts/${tenant.accountId}`, { maxConcurrentCalls: 3 });
  const [capped] = await newest(`&target=${tenant.accountId}`);
  expect([capped.from, capped.to]).toEqual([
    { maxConcurrentCalls: null, operatorCap: null },
    { maxConcurrentCalls: 3, operatorCap: 3 },
  ]);
  const hook = { workspaceId: tenant.workspaceId, url: 'https://8.8.8.8/hook' };
  const { id } = await api.ok('POST', '/v1/webhooks', hook);
  await api.ok('PATCH', `/v1/webhooks/${id}`, { url: 'https://8.8.8.8/moved' });
  const [moved] = await newest(`&target=${id}&action=change`);
  expect([moved.from, moved.to]).toEqual([{}, {}]);
  await api.ok('PATCH', `/v1/webhooks/${id}`, { description: 'Billing' });
  expect(await newest(`&target=${id}&action=change`)).toHaveLength(1);
});

test('does not tell of what was refused, renamed, changed nothing, or was made as all are', async () => {
  const before = (await newest('&limit=100')).length;
  const { workspaceId, organizationId } = tenant;
  await api.request('PATCH', `/v1/workspaces/${workspaceId}`, { weight: 1_000 });
  await api.request('PATCH', '/v1/workspaces/ws_01h455vb4pex5vsknk084sn02q', { weight: 2 });
  await api.ok('PATCH', `/v1/workspaces/${workspaceId}`, { name: 'Renamed' });
  await api.ok('PATCH', `/v1/messenger-accounts/${tenant.accountId}`, { name: 'Renamed' });
  await api.ok('POST', '/v1/workspaces', { name: 'Plain', organizationId });
  expect(await newest('&limit=100')).toHaveLength(before);
});

test('is searched by who, what and which', async () => {
  const { workspaceId } = tenant;
  expect((await newest('&by=root&action=change')).length).toBe(3);
  expect((await newest(`&target=${workspaceId}`)).length).toBe(2);
  expect(await newest('&by=key_01h455vb4pex5vsknk084sn02q')).toEqual([]);
});

test('is listed page after page, for operators only', async () => {
  const all = (await newest('&limit=100')).map(({ id }: { id: string }) => id);
  const first = await api.ok('GET', '/v1/audit?sort=-createdAt&limit=2');
  const second = await api.ok('GET', `/v1/audit?sort=-createdAt&limit=2&startingAfter=${first.cursors.next}`);
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(all.slice(0, 4));
  const scopes = ['workspaces:write', 'metrics:read'] as const;
  const key = await api.aKey({ organizationId: tenant.organizationId }, [...scopes]);
  expect((await api.request('GET', '/v1/audit', undefined, { key })).status).toBe(403);
});

test('keeps so many entries, for a year, and none that is large; organizations push out their own alone', async () => {
  const change: AuditChange = {
    by: ROOT,
    action: 'change',
    target: { kind: 'key', id: 'x' },
    from: null,
    to: null,
  };
  const [operators = '', tenants = ''] = AUDIT_LISTS;
  const old = idsSince('audit', Date.now() - 366 * 86_400_000);
  await api.redis.zadd(tenants, 0, old);
  await api.redis.hset(AUDIT_ENTRIES, old, JSON.stringify({ ...change, id: old }));
  for (const query of ['', '?createdAfter=2020-01-01T00:00:00Z'])
    expect((await api.ok('GET', `/v1/audit${query}`)).data[0].id).not.toBe(old);
  const before = await api.redis.zcard(operators);
  const note = (organizationId: string, to: object) =>
    appendAudit(api.redis, { ...change, to }, organizationId, { list: 5, organization: 3 });
  await note('org_a', { first: true });
  for (let i = 0; i < 8; i += 1) await note('org_b', { x: 'x'.repeat(1_025) });
  expect((await newest('&limit=4')).at(-1).to).toEqual({ first: true });
  expect(await api.redis.zcard(tenants)).toBe(4);
  for (let i = 0; i < 3; i += 1) await note('org_c', {});
  expect(await api.redis.zcard(tenants)).toBe(5);
  expect(await api.redis.zcard(operators)).toBe(before);
  expect(await api.redis.hexists(AUDIT_ENTRIES, old)).toBe(0);
  expect((await newest('&limit=4')).at(-1).to).toEqual({ x: '(too large to be kept)' });
  expect(await api.redis.hlen(AUDIT_ENTRIES)).toBe(before + 5);
});

test.each(['workspaces', 'messenger-accounts'])(
  'tells that the operator has made the cap of a tenant the operator’s own: %s',
  async (collection) => {
    const { organizationId, workspaceId, accountId } = await api.aTenant();
    const id = collection === 'workspaces' ? workspaceId : accountId;
    const path = `/v1/${collection}/${id}`;
    const key = await api.aKey({ organizationId }, ['workspaces:write', 'accounts:write']);
    const changes = async () =>
      (await newest(`&target=${id}&action=change`)).map(({ by, from, to }: AuditChange) => [
        by.name,
        from,
        to,
      ]);
    await api.ok('PATCH', path, { maxConcurrentCalls: 5 }, { key });
    const [own] = await changes();
    expect(own.slice(1)).toEqual([{ maxConcurrentCalls: null }, { maxConcurrentCalls: 5 }]);
    await api.ok('PATCH', path, { maxConcurrentCalls: 5 });
    const taken = ['root key', { operatorCap: null }, { operatorCap: 5 }];
    expect(await changes()).toEqual([taken, own]);
    expect((await api.request('PATCH', path, { maxConcurrentCalls: 6 }, { key })).status).toBe(403);
    await api.ok('PATCH', path, { maxConcurrentCalls: 5 });
    await api.ok('PATCH', path, { maxConcurrentCalls: 5 }, { key });
    expect(await changes()).toEqual([taken, own]);
    await api.ok('PATCH', path, { maxConcurrentCalls: null });
    expect((await changes())[0]).toEqual([
      'root key',
      { maxConcurrentCalls: 5, operatorCap: 5 },
      { maxConcurrentCalls: null, operatorCap: null },
    ]);
  },
);

test('pausing, resuming, draining and deleting work while the memory of Redis is full', async () => {
  const webhook = await api.ok('POST', '/v1/webhooks', {
    workspaceId: tenant.workspaceId,
    url: 'https://8.8.8.8/',
  });
  await publishFigures(api.redis, 'worker-a', WORKER);
  await api.redis.config('SET', 'maxmemory', '1');
  try {
    await api.ok('PUT', '/v1/pauses/lane/slow', { mode: 'wait' });
    await api.ok('DELETE', '/v1/pauses/lane/slow');
    await api.ok('DELETE', `/v1/webhooks/${webhook.id}`);
    expect((await newest()).map(({ action }: { action: string }) => action).slice(0, 3)).toEqual([
      'delete',
      'resume',
      'pause',
    ]);
  } finally {
    await api.redis.config('SET', 'maxmemory', '0');
  }
});

const WORKER = {
  kind: 'worker',
  version: '1.2.3',
  host: 'host',
  pid: 7,
  startedAt: 1_700_000_000_000,
  isDraining: false,
  busyShare: 0.25,
  callsPerSecond: 10,
  slowRunning: 1,
  running: 2,
} as const;

test('workers are listed, and one that is there is asked to drain', async () => {
  const listed = await eventually(async () => {
    await publishFigures(api.redis, 'worker-a', WORKER);
    await publishFigures(api.redis, 'worker-b', WORKER);
    await publishFigures(api.redis, 'worker-c', { ...WORKER, isDraining: true });
    const { data } = await api.ok('GET', '/v1/workers');
    return data.length === 3 && data;
  });
  expect(listed[0]).toMatchObject({ id: 'worker-a', state: 'running', version: '1.2.3', busyShare: 0.25 });
  expect((await api.request('POST', '/v1/workers/worker-none/drain')).status).toBe(404);
  const answer = await api.request('POST', '/v1/workers/worker-b/drain');
  expect(answer).toMatchObject({ status: 202, body: { id: 'worker-b', state: 'draining' } });
  expect(await isAskedToDrain(api.redis, 'worker-b')).toBe(true);
  // It has not said yet that it drains.
  expect((await api.request('POST', '/v1/workers/worker-b/drain')).status).toBe(202);
  expect((await newest('&target=worker-b')).map(({ action }: AuditChange) => action)).toEqual(['drain']);
  expect(await isAskedToDrain(api.redis, 'worker-a')).toBe(false);
  expect((await api.request('POST', '/v1/workers/worker-c/drain')).body.state).toBe('draining');
  expect(await isAskedToDrain(api.redis, 'worker-c')).toBe(false);
  expect((await newest())[0]).toMatchObject({ action: 'drain', target: { kind: 'worker', id: 'worker-b' } });
});

test('a worker whose draining cannot be recorded is not asked to drain', async () => {
  const drain = () => api.request('POST', '/v1/workers/worker-d/drain');
  await eventually(async () => {
    await publishFigures(api.redis, 'worker-d', WORKER);
    const { data } = await api.ok('GET', '/v1/workers');
    return data.some(({ id }: { id: string }) => id === 'worker-d');
  });
  const kept = `${AUDIT_ENTRIES}:kept`;
  await api.redis.rename(AUDIT_ENTRIES, kept);
  await api.redis.set(AUDIT_ENTRIES, 'no hash');
  try {
    expect((await drain()).status).toBe(500);
    expect(await isAskedToDrain(api.redis, 'worker-d')).toBe(false);
  } finally {
    await api.redis.rename(kept, AUDIT_ENTRIES);
  }
  expect((await drain()).status).toBe(202);
  expect(await isAskedToDrain(api.redis, 'worker-d')).toBe(true);
  expect((await newest('&target=worker-d')).map(({ action }: AuditChange) => action)).toEqual(['drain']);
});

test('a worker that several ask to drain at once is recorded once', async () => {
  await eventually(async () => {
    await publishFigures(api.redis, 'worker-e', WORKER);
    const { data } = await api.ok('GET', '/v1/workers');
    return data.some(({ id }: { id: string }) => id === 'worker-e');
  });
  const drains = Array.from({ length: 5 }, () => api.request('POST', '/v1/workers/worker-e/drain'));
  const statuses = (await Promise.all(drains)).map(({ status }) => status);
  expect(statuses).toEqual([202, 202, 202, 202, 202]);
  expect(await isAskedToDrain(api.redis, 'worker-e')).toBe(true);
  expect((await newest('&target=worker-e')).map(({ action }: AuditChange) => action)).toEqual(['drain']);
});
