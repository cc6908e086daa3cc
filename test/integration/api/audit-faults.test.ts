import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditChange } from '../../../src/control/audit.ts';
import { headsKey } from '../../../src/redis/keys.ts';
import { lineKey } from '../../../src/webhooks/line-keys.ts';
import { TestApi } from '../../support/api/api.ts';

let api: TestApi;
let tenant: Awaited<ReturnType<TestApi['aTenant']>>;

beforeAll(async () => {
  api = await TestApi.start();
  tenant = await api.aTenant();
});
afterAll(() => api.stop());

const changesOf = async (id: string, action = 'change'): Promise<AuditChange[]> =>
  (await api.ok('GET', `/v1/audit?target=${id}&action=${action}`)).data;

test('tells of changes at once what each has replaced', async () => {
  const path = `/v1/workspaces/${tenant.workspaceId}`;
  const weights = [9, 8, 7, 6, 5, 4, 3, 2];
  await Promise.all(weights.map((weight) => api.ok('PATCH', path, { weight, maxConcurrentCalls: weight })));
  const last = (await api.ok('GET', path)).weight;
  const changes = await changesOf(tenant.workspaceId);
  const sorted = (values: unknown[]) => values.toSorted((a, b) => Number(a) - Number(b));
  const told = (side: 'from' | 'to', member: string) =>
    sorted(changes.map((change) => (change[side] as Record<string, unknown>)[member]));
  const replaced = sorted(weights.filter((weight) => weight !== last));
  expect([told('from', 'weight'), told('to', 'weight')]).toEqual([[1, ...replaced], sorted(weights)]);
  expect(told('from', 'operatorCap')).toEqual([null, ...replaced]);
});

test('tells of a change that was made, although its request failed after it', async () => {
  const { id } = await api.ok('POST', '/v1/workspaces', {
    name: 'Workspace',
    organizationId: tenant.organizationId,
  });
  const change = async () => (await api.request('PATCH', `/v1/workspaces/${id}`, { weight: 7 })).status;
  const key = headsKey('');
  const kept = `${key}:kept`;
  await api.redis.hset(key, 'kept', '1');
  await api.redis.rename(key, kept);
  // The answer shows what the workspace keeps.
  await api.redis.set(key, 'no hash');
  try {
    expect(await change()).toBe(500);
  } finally {
    await api.redis.rename(kept, key);
  }
  expect(await changesOf(id)).toMatchObject([{ from: { weight: 1 }, to: { weight: 7 } }]);
  expect(await change()).toBe(200);
  expect(await changesOf(id)).toHaveLength(1);
});

test('tells of a deletion that was made, although erasing what the webhook kept failed', async () => {
  const { organizationId } = tenant;
  const { id: workspaceId } = await api.ok('POST', '/v1/workspaces', { name: 'Workspace', organizationId });
  const { id } = await api.ok('POST', '/v1/webhooks', { workspaceId, url: 'https://8.8.8.8/' });
  const remove = async () => (await api.request('DELETE', `/v1/webhooks/${id}`)).status;
  const used = [headsKey(''), `${workspaceId}:used`] as const;
  // The bytes that are freed are taken off there.
  await api.redis.hset(...used, 'no number');
  try {
    expect(await remove()).toBe(500);
  } finally {
    await api.redis.hdel(...used);
  }
  expect(await changesOf(id, 'delete')).toHaveLength(1);
  expect(await remove()).toBe(404);
  expect(await changesOf(id, 'delete')).toHaveLength(1);
});

test('the root key disables and enables a webhook while the memory of Redis is full, and the list tells of it', async () => {
  const { workspaceId } = tenant;
  const { id } = await api.ok('POST', '/v1/webhooks', { workspaceId, url: 'https://8.8.8.8/' });
  const asked = () => api.redis.hmget(lineKey({ id, workspaceId }, 'state'), 'wake', 'wakeAside');
  await api.redis.config('SET', 'maxmemory', '1');
  try {
    expect((await api.ok('PATCH', `/v1/webhooks/${id}`, { status: 'disabled' })).status).toBe('disabled');
    expect(await asked()).toEqual([null, null]);
    expect((await api.ok('PATCH', `/v1/webhooks/${id}`, { status: 'enabled' })).status).toBe('enabled');
    // What waits is sent once there is memory for a job.
    expect(await asked()).toEqual(['1', '1']);
  } finally {
    await api.redis.config('SET', 'maxmemory', '0');
  }
  expect((await changesOf(id)).map(({ from, to }) => [from, to])).toEqual([
    [{ status: 'enabled' }, { status: 'disabled' }],
    [{ status: 'disabled' }, { status: 'enabled' }],
  ]);
});

test.each(['webhooks', 'workspaces'])('tells of one deletion of several at once: %s', async (collection) => {
  const { organizationId, workspaceId } = tenant;
  const place = collection === 'webhooks' ? { workspaceId, url: 'https://8.8.8.8/' } : { organizationId };
  const name = collection === 'webhooks' ? {} : { name: 'Workspace' };
  const { id } = await api.ok('POST', `/v1/${collection}`, { ...name, ...place });
  const deletions = Array.from({ length: 8 }, () => api.request('DELETE', `/v1/${collection}/${id}`));
  const statuses = (await Promise.all(deletions)).map(({ status }) => status);
  expect(statuses).toContain(204);
  expect(await changesOf(id, 'delete')).toHaveLength(1);
});
