import { afterAll, beforeAll, expect, it } from 'vitest';
import { callPlaceKey } from '../../../src/redis/keys.ts';
import { TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';

let api: TestApi;

beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

async function aCall(): Promise<{ id: string; workspaceId: string; accountId: string }> {
  const { workspaceId, accountId } = await api.aTenant();
  const path = `/workspaces/${workspaceId}/messenger-accounts/${accountId}/call/help.getSupport`;
  const { id } = await api.ok('POST', path, { params: {} }, { headers: { prefer: 'respond-async' } });
  return { id, workspaceId, accountId };
}

it('finds a call whose place a failover has lost, with a key of its workspace', async () => {
  const [{ id, workspaceId }, other] = [await aCall(), await aCall()];
  const keyOf = async (workspace: string) =>
    (
      await api.ok('POST', '/v1/api-keys', {
        ...{ name: 'Key', workspaceId: workspace, scopes: ['calls:read', 'calls:write'] },
      })
    ).secret;
  const [own, foreign] = [await keyOf(workspaceId), await keyOf(other.workspaceId)];
  await api.redis.del(callPlaceKey(id));
  expect(await api.ok('GET', `/v1/calls/${id}`, undefined, { key: own })).toMatchObject({
    id,
    status: 'queued',
  });
  expect((await api.request('GET', `/v1/calls/${id}`, undefined, { key: foreign })).status).toBe(404);
  expect((await api.request('GET', `/v1/calls/wrong`, undefined, { key: own })).status).toBe(404);
  expect(await api.ok('DELETE', `/v1/calls/${id}`, undefined, { key: own })).toMatchObject({
    status: 'canceled',
  });
});

it('counts a call that a request has canceled, once', async () => {
  const canceled = async () =>
    /^switchboard_async_calls_ended_total\{status="canceled"\} (\d+)$/m.exec(
      await api.ok('GET', '/metrics'),
    )?.[1];
  const before = Number(await canceled());
  const { id } = await aCall();
  for (let times = 0; times < 2; times += 1) await api.ok('DELETE', `/v1/calls/${id}`);
  // What was collected is shown again for a moment.
  await eventually(async () => Number(await canceled()) > before);
  expect(Number(await canceled())).toBe(before + 1);
});
