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
