import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApi } from '../../support/api/api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

// No worker runs here, so nothing is erased.
it('answers 404 for the calls of a deleted workspace before they are erased', async () => {
  const { workspaceId, accountId } = await api.aTenant();
  const path = `/workspaces/${workspaceId}/messenger-accounts/${accountId}/call/help.getSupport`;
  const { id } = await api.ok('POST', path, { params: {} }, { headers: { prefer: 'respond-async' } });
  await api.ok('GET', `/v1/calls/${id}`);
  await api.ok('DELETE', `/v1/workspaces/${workspaceId}?cascade=true`);
  for (const [verb, url] of [
    ['GET', `/v1/calls/${id}`],
    ['DELETE', `/v1/calls/${id}`],
    ['POST', `/v1/calls/${id}/replay`],
  ] as const) {
    expect(await api.request(verb, url)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
});

it('lists no calls of a deleted organization before they are erased', async () => {
  const [gone, other] = [await api.aTenant(), await api.aTenant()];
  const accept = async ({ workspaceId, accountId }: typeof gone): Promise<string> => {
    const path = `/workspaces/${workspaceId}/messenger-accounts/${accountId}/call/help.getSupport`;
    return (await api.ok('POST', path, { params: {} }, { headers: { prefer: 'respond-async' } })).id;
  };
  const list = async (query = ''): Promise<string[]> =>
    (await api.ok('GET', `/v1/calls${query}`)).data.map(({ id }: { id: string }) => id);
  const ids = [await accept(gone), await accept(other)];
  expect(await list()).toEqual(ids);
  await api.ok('DELETE', `/v1/organizations/${gone.organizationId}?cascade=true`);
  expect((await api.request('GET', `/v1/calls/${ids[0]}`)).status).toBe(404);
  expect(await list()).toEqual(ids.slice(1));
  expect(await list(`?messengerAccountId=${gone.accountId}`)).toEqual([]);
  expect(await list(`?messengerAccountId=${other.accountId}`)).toEqual(ids.slice(1));
});
