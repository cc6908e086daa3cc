import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';

let api: TestApi;
let tenant: { workspaceId: string; accountId: string };
const one = (params: object) => ({ accountId: tenant.accountId, method: 'help.getSupport', params });

beforeAll(async () => {
  api = await TestApi.start();
  tenant = await api.aTenant();
});
afterAll(() => api.stop());

test('a call that is only validated is not counted among the calls, whatever is found', async () => {
  const { workspaceId, accountId } = tenant;
  const path = `/workspaces/${workspaceId}/messenger-accounts/${accountId}/call/help.getSupport`;
  const only = (params: object) => api.request('POST', `${path}?validate=only`, { params });
  expect([(await only({})).status, (await only({ surplus: 1 })).status]).toEqual([501, 400]);
  await api.request('POST', `/workspaces/${workspaceId}/calls?validate=only`, { calls: [one({})] });
  expect((await api.request('GET', '/metrics')).body).not.toContain('switchboard_calls_total{');
});

test('a bulk of which no call has run tells nothing of the stream', async () => {
  const path = `/workspaces/${tenant.workspaceId}/calls`;
  for (const [query, calls] of [
    ['?validate=only', [one({})]],
    ['', [one({ surplus: 1 })]],
  ] as const) {
    const answer = await api.request('POST', `${path}${query}`, { calls });
    expect([answer.status, answer.headers.get('stream-next-offset')]).toEqual([200, null]);
  }
});

test('a call whose query is wrong is counted as a refused one', async () => {
  const { workspaceId, accountId } = tenant;
  const path = `/workspaces/${workspaceId}/messenger-accounts/${accountId}/call/help.getSupport`;
  const { status, body } = await api.request('POST', `${path}?validate=yes`, { params: {} });
  expect([status, body.code]).toEqual([400, 'invalid_query']);
  const counted = 'switchboard_calls_total{method="help.getSupport",outcome="refused",driver="sandbox"} 1\n';
  // Metrics are gathered every now and then.
  await eventually(async () => (await api.request('GET', '/metrics')).body.includes(counted));
});
