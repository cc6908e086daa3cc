import { afterAll, beforeAll, expect, it } from 'vitest';
import { readWeights } from '../../../src/directory/workspace-weights.ts';
import { TestApi } from '../../support/api/api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await TestApi.start();
});

afterAll(() => api.stop());

it('is 1 unless the root key says otherwise', async () => {
  const { organizationId, workspaceId } = await api.aTenant();
  const path = `/v1/workspaces/${workspaceId}`;
  expect(await api.ok('GET', path)).toMatchObject({ weight: 1 });
  expect(await api.ok('PATCH', path, { weight: 7 })).toMatchObject({ id: workspaceId, weight: 7 });
  expect(await api.ok('PATCH', path, { name: 'Beta' })).toMatchObject({ name: 'Beta', weight: 7 });
  const body = { name: 'Heavy', organizationId, weight: 100 };
  const heavy = await api.ok('POST', '/v1/workspaces', body);
  expect(heavy).toMatchObject({ weight: 100 });
  expect(await readWeights(api.redis, [heavy.id, 'ws_gone', workspaceId])).toEqual([100, 1, 7]);
});

it('is 1 for a record from before there were weights', async () => {
  const { workspaceId } = await api.aTenant();
  const record = await api.ok('GET', `/v1/workspaces/${workspaceId}`);
  const old = JSON.stringify({ ...record, weight: undefined });
  await api.redis.hset('sb:{directory}:workspaces', workspaceId, old);
  expect(await api.ok('GET', `/v1/workspaces/${workspaceId}`)).toMatchObject({ weight: 1 });
  expect(await readWeights(api.redis, [workspaceId])).toEqual([1]);
});

it.each([0, 101, 1.5, '2', null, -1, 1e9])('is refused when it is %j', async (weight) => {
  const { organizationId, workspaceId } = await api.aTenant();
  const answers = [
    await api.request('PATCH', `/v1/workspaces/${workspaceId}`, { weight }),
    await api.request('POST', '/v1/workspaces', { name: 'x', organizationId, weight }),
  ];
  for (const answer of answers) {
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_body', errors: [{ pointer: '/weight' }] },
    });
  }
});

it('cannot be set with the keys of those whom it weighs', async () => {
  const { organizationId, workspaceId } = await api.aTenant();
  const path = `/v1/workspaces/${workspaceId}`;
  const keys = [
    await api.aKey({ organizationId }, ['workspaces:write']),
    await api.aKey({ workspaceId }, ['workspaces:write']),
  ];
  for (const key of keys) {
    const refused = await api.request('PATCH', path, { name: 'x', weight: 100 }, { key });
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await api.request('PATCH', path, { name: 'y' }, { key })).body).toMatchObject({ weight: 1 });
  }
  const body = { name: 'x', organizationId, weight: 2 };
  const refused = await api.request('POST', '/v1/workspaces', body, { key: keys[0] ?? '' });
  expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
});
