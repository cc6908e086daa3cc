import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { WAIT_MAX_SECONDS } from '../../../src/api/calls/prefer.ts';
import type { AsyncCall } from '../../../src/async-calls/async-call.ts';
import { findCall } from '../../../src/async-calls/find-call.ts';
import type { Followed } from '../../../src/updates/follow-updates.ts';
import { readUpdates } from '../../../src/updates/read-updates.ts';
import { TestApi } from '../../support/api/api.ts';
import { appendUpdates } from '../../support/api/append-update.ts';
import { endStoredCall, storeCall } from '../../support/api/async-calls.ts';
import { eventually } from '../../support/eventually.ts';
import { RawConnection } from '../../support/http/raw-connection.ts';
import { getRequest } from '../../support/strangers/crowd.ts';

let api: TestApi;

beforeAll(async () => {
  api = await TestApi.start();
});
afterEach(() => void vi.restoreAllMocks());
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

test('those who wait for a call cost next to nothing for other updates of its workspace, and nothing once they are gone', async () => {
  const tenant = await api.aTenant();
  const id = await storeCall(api.redis, tenant);
  const run = vi.spyOn(api.deps.reads, 'run');
  const looks = () => run.mock.calls.filter(([, , options]) => options?.name === undefined).length;
  const follow = vi.spyOn(api.deps.updates, 'follow');
  const connections = await Promise.all(Array.from({ length: 10 }, () => RawConnection.open(api.url)));
  for (const one of connections) one.send(getRequest(`/v1/calls/${id}?wait=20`, api.rootKey));
  await eventually(() => looks() === 2 * connections.length);
  const reads = follow.mock.results.map(({ value }) => vi.spyOn(value as Followed, 'readAfter'));
  const witness = api.deps.updates.follow(tenant.workspaceId, () => Promise.reject(new Error('not held')));
  for (let count = 1; count <= 5; count += 1) {
    await appendUpdates(api.redis, tenant.workspaceId, [{ value: id }]);
    const { next } = await readUpdates(api.redis, tenant.workspaceId, 'end');
    await eventually(() => witness.heldAfter(next) !== null);
  }
  const [first, ...others] = connections;
  for (const one of others) one.close();
  await eventually(() => api.deps.updates.lag.readers === 2);
  witness.close();
  expect(reads.filter(({ mock }) => mock.calls.length > 1)).toEqual([]);
  expect(looks()).toBe(2 * connections.length);
  const call = await findCall(api.redis, tenant.workspaceId, id);
  await endStoredCall(api.redis, call as AsyncCall, { _: 'help.support' });
  const [answer] = (await first?.answers(1)) ?? [];
  first?.close();
  expect(JSON.parse(answer?.body ?? '')).toMatchObject({ id, status: 'succeeded' });
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

test('a connection may be silent for longer than anyone waits, however short the time of a call is', async () => {
  const hasty = await TestApi.start({ CALL_TIMEOUT_MS: '100' });
  onTestFinished(() => hasty.stop());
  expect(hasty.app.server.timeout).toBeGreaterThan((WAIT_MAX_SECONDS + 10) * 1_000);
});
