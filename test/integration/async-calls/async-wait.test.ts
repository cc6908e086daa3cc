import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';

let api: TestApi;

beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

test('a call that was taken in is answered as such, though nobody can say any more how it ends', async () => {
  const { workspaceId, accountId } = await api.aTenant();
  const path = `/workspaces/${workspaceId}/messenger-accounts/${accountId}/call/help.getSupport`;
  const headers = { prefer: 'respond-async, wait=2' };
  const answer = api.request('POST', path, { params: {} }, { headers });
  await eventually(async () => (await api.redis.zcard(`sb:{${workspaceId}}:state:async:expiring`)) === 1);
  await api.server.stop();
  expect(await answer).toMatchObject({ status: 202, body: { status: 'queued' } });
});
