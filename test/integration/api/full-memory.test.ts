import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { setByteBudget } from '../../../src/bytes/byte-budget.ts';
import { DELETIONS } from '../../../src/directory/deletions.ts';
import { patchRecord, viewKey } from '../../../src/directory/records.ts';
import { newId } from '../../../src/ids.ts';
import { openLogger } from '../../../src/logger.ts';
import { headsKey } from '../../../src/redis/keys.ts';
import { isMemoryFull, MemoryWatch } from '../../../src/redis/memory-watch.ts';
import { TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';

let api: TestApi;

beforeAll(async () => {
  api = await TestApi.start();
});

afterAll(() => api.stop());

async function whileFull(act: () => Promise<void>): Promise<void> {
  await api.redis.config('SET', 'maxmemory', '1');
  try {
    await act();
  } finally {
    await api.redis.config('SET', 'maxmemory', '0');
  }
}

async function expectGone(path: string): Promise<void> {
  expect((await api.request('DELETE', `/v1/${path}`)).status).toBe(204);
  expect((await api.request('GET', `/v1/${path}`)).status).toBe(404);
}

it('reads, deletes and cancels while the memory of Redis is full, and refuses what adds', async () => {
  const { organizationId, workspaceId, accountId } = await api.aTenant();
  const other = await api.aTenant();
  const key = await api.ok('POST', '/v1/api-keys', { name: 'k', workspaceId, scopes: ['calls:write'] });
  const webhook = await api.ok('POST', '/v1/webhooks', { workspaceId, url: 'https://1.1.1.1/' });
  await whileFull(async () => {
    for (const path of [`organizations/${organizationId}`, `workspaces/${workspaceId}`, 'messenger-accounts'])
      expect((await api.request('GET', `/v1/${path}`)).status).toBe(200);
    const refused = await api.request('POST', '/v1/organizations', { name: 'More' });
    expect(refused).toMatchObject({
      status: 503,
      body: { code: 'unavailable', detail: expect.stringMatching(/memory/) },
    });
    expect(refused.headers.get('retry-after')).not.toBeNull();
    await expectGone(`api-keys/${key.id}`);
    await expectGone(`webhooks/${webhook.id}`);
    // Its driver is reached by a call, which needs memory.
    api.book.failWith = new Error('unavailable');
    await expectGone(`messenger-accounts/${accountId}`);
    expect(JSON.parse((await api.redis.hget(DELETIONS, accountId)) as string).record.id).toBe(accountId);
    await expectGone(`workspaces/${workspaceId}`);
    expect(
      (await api.request('DELETE', `/v1/organizations/${other.organizationId}?cascade=true`)).status,
    ).toBe(204);
    expect((await api.request('GET', `/v1/workspaces/${other.workspaceId}`)).status).toBe(404);
  });
  api.book.failWith = null;
});

it('lets the root key change limits while the memory of Redis is full, and nothing else', async () => {
  const { workspaceId, organizationId } = await api.aTenant();
  const key = await api.ok('POST', '/v1/api-keys', {
    name: 'k',
    organizationId,
    scopes: ['workspaces:write'],
  });
  const path = `/v1/workspaces/${workspaceId}`;
  await whileFull(async () => {
    expect(await api.ok('PATCH', path, { bytesMax: 12_345_678, weight: 2 })).toMatchObject({
      bytesMax: 12_345_678,
    });
    expect((await api.request('PATCH', path, { name: 'x', weight: 3 })).status).toBe(503);
    const capped = await api.request('PATCH', path, { maxConcurrentCalls: 2 }, { key: key.secret });
    expect(capped.status).toBe(503);
  });
  expect(await api.ok('GET', path)).toMatchObject({
    bytesMax: 12_345_678,
    weight: 2,
    maxConcurrentCalls: null,
  });
});

it('lets only the root key set the budget of a workspace, and shows what it keeps', async () => {
  const { workspaceId, organizationId } = await api.aTenant();
  const scopes = ['workspaces:write', 'workspaces:read'];
  const { secret } = await api.ok('POST', '/v1/api-keys', { name: 'k', organizationId, scopes });
  const refused = await api.request(
    'PATCH',
    `/v1/workspaces/${workspaceId}`,
    { bytesMax: 0 },
    { key: secret },
  );
  expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  const created = await api.ok('POST', '/v1/workspaces', { name: 'w', organizationId, bytesMax: 1_000 });
  expect(created).toMatchObject({ bytesMax: 1_000, bytesUsed: 0 });
  const { data } = await api.ok('GET', '/v1/workspaces', undefined, { key: secret });
  expect(data).toMatchObject([
    { id: workspaceId, bytesMax: null, bytesUsed: 0 },
    { id: created.id, bytesMax: 1_000, bytesUsed: 0 },
  ]);
  await api.ok('PATCH', `/v1/workspaces/${created.id}`, { bytesMax: null });
  expect((await api.ok('GET', `/v1/workspaces/${created.id}`)).bytesMax).toBeNull();
});

it('does not set the budget of a workspace again with another change', async () => {
  const { organizationId } = await api.aTenant();
  const { id } = await api.ok('POST', '/v1/workspaces', { name: 'w', organizationId, bytesMax: 1_000 });
  const budget = () => api.redis.hget(headsKey(''), `${id}:max`);
  expect(await budget()).toBe('1000');
  // As an operator has it set at another process, whose change is written in between.
  await api.redis.hset(headsKey(''), `${id}:max`, '500');
  await api.ok('PATCH', `/v1/workspaces/${id}`, { name: 'x' });
  expect(await budget()).toBe('500');
});

it('keeps no budget of a workspace that is refused', async () => {
  const { organizationId } = await api.aTenant();
  const max = api.deps.config.WORKSPACES_PER_ORGANIZATION;
  const others = Array.from({ length: max }, () => newId('workspace'));
  const view = viewKey('workspaces', `organization:${organizationId}`);
  await api.redis.zadd(view, ...others.flatMap((id) => [0, id]));
  const before = await api.redis.hkeys(headsKey(''));
  const wanted = { name: 'w', organizationId, bytesMax: 1_000 };
  expect((await api.request('POST', '/v1/workspaces', wanted)).status).toBe(409);
  await api.redis.zrem(view, ...others);
  expect(await api.redis.hkeys(headsKey(''))).toEqual(before);
});

it('gives a workspace the budget that its record says, also where one request overtakes another', async () => {
  const { organizationId } = await api.aTenant();
  const { id } = await api.ok('POST', '/v1/workspaces', { name: 'w', organizationId, bytesMax: 1_000 });
  const { redis, reads } = api;
  const field = `${id}:max`;
  const evalsha = redis.evalsha.bind(redis) as (...args: unknown[]) => Promise<unknown>;
  let isFirst = true;
  const spy = vi.spyOn(redis, 'evalsha').mockImplementation((async (...args: unknown[]) => {
    if (args.includes(field) && isFirst) {
      isFirst = false;
      // Another process, all at once.
      await patchRecord(reads, 'workspaces', id, { bytesMax: 3_000 });
      await setByteBudget(reads, id, 3_000);
    }
    return evalsha(...args);
  }) as typeof redis.evalsha);
  try {
    await api.ok('PATCH', `/v1/workspaces/${id}`, { bytesMax: 2_000 });
  } finally {
    spy.mockRestore();
  }
  expect(isFirst).toBe(false);
  expect((await api.ok('GET', `/v1/workspaces/${id}`)).bytesMax).toBe(3_000);
  expect(await redis.hget(headsKey(''), field)).toBe('3000');
});

it('knows that Redis takes no writes, and has the log say so once', async () => {
  const lines: string[] = [];
  const log = openLogger({ LOG_LEVEL: 'info' }, 'test', { write: (line) => lines.push(line) });
  const watch = new MemoryWatch(api.redis, log);
  // As with a full disk.
  await api.redis.config('SET', 'min-replicas-to-write', '1');
  try {
    await eventually(() => watch.refusesWrites);
    expect(watch.isFull).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
  } finally {
    await api.redis.config('SET', 'min-replicas-to-write', '0');
  }
  await eventually(() => !watch.refusesWrites);
  watch.stop();
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    expect.stringMatching(/takes no writes/),
    'Redis takes writes again',
  ]);
});

it('is ready while Redis takes no writes, and says so', async () => {
  const checks = { redis: 'ok', memory: 'ok' };
  const ready = () => api.request('GET', '/readyz');
  expect(await ready()).toMatchObject({ status: 200, body: { checks: { ...checks, writes: 'ok' } } });
  Object.assign(api.deps.memory, { refusesWrites: true });
  await eventually(async () => (await ready()).body.checks.writes === 'refused');
  expect(await ready()).toMatchObject({ status: 200, body: { status: 'ready', checks } });
  Object.assign(api.deps.memory, { refusesWrites: false });
});

it('knows that the memory is full, and has the log say so once', async () => {
  const lines: string[] = [];
  const log = openLogger({ LOG_LEVEL: 'info' }, 'test', { write: (line) => lines.push(line) });
  const watch = new MemoryWatch(api.redis, log);
  expect(await isMemoryFull(api.redis)).toBe(false);
  await whileFull(async () => {
    expect(await isMemoryFull(api.redis)).toBe(true);
    await eventually(() => watch.isFull);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
  });
  await eventually(() => !watch.isFull);
  watch.stop();
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    expect.stringMatching(/memory is full/),
    'Redis has memory again',
  ]);
});
