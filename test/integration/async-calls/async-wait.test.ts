import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findCall } from '../../../src/async-calls/find-call.ts';
import { TestApi } from '../../support/api/api.ts';
import { endStoredCall, storeCall } from '../../support/api/async-calls.ts';
import { eventually } from '../../support/eventually.ts';

let api: TestApi;

beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

test('one who waits for a call looks at it when it has ended, and not when the result of another one names it', async () => {
  const tenant = await api.aTenant();
  const [wanted, other] = [await storeCall(api.redis, tenant), await storeCall(api.redis, tenant)];
  const end = async (id: string, result: object) => {
    const call = await findCall(api.redis, tenant.workspaceId, id);
    if (call === null) throw new Error('the call is gone');
    await endStoredCall(api.redis, call, result);
  };
  const run = vi.spyOn(api.deps.reads, 'run');
  const looks = () => run.mock.calls.filter(([, , options]) => options?.name === undefined).length;
  const answers = [wanted, other].map((id) => api.ok('GET', `/v1/calls/${id}?wait=20`));
  await eventually(() => looks() === 4);
  await end(other, { _: 'help.support', phoneNumber: wanted });
  expect(await answers[1]).toMatchObject({ id: other, status: 'succeeded' });
  await end(wanted, { _: 'help.support', phoneNumber: other });
  expect(await answers[0]).toMatchObject({ id: wanted, status: 'succeeded' });
  expect(looks()).toBe(6);
});

test('a call that was taken in is answered as such, though nobody can say any more how it ends', async () => {
  const { workspaceId, accountId } = await api.aTenant();
  const path = `/workspaces/${workspaceId}/messenger-accounts/${accountId}/call/help.getSupport`;
  const headers = { prefer: 'respond-async, wait=2' };
  const answer = api.request('POST', path, { params: {} }, { headers });
  await eventually(async () => (await api.redis.zcard(`sb:{${workspaceId}}:state:async:expiring`)) === 1);
  await api.server.stop();
  expect(await answer).toMatchObject({ status: 202, body: { status: 'queued' } });
});
