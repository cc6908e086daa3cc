import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApi } from '../../support/api/api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await TestApi.start();
});

afterAll(() => api.stop());

async function cancelCalls(count: number): Promise<{ workspaceId: string; secret: string }> {
  const { workspaceId, accountId } = await api.aTenant();
  const { secret } = await api.ok('POST', '/v1/api-keys', {
    ...{ name: 'Key', workspaceId, scopes: ['calls:write'] },
    rateLimit: { limit: 10, windowSeconds: 600 },
  });
  for (let at = 0; at < count; at += 1) {
    const path = `/workspaces/${workspaceId}/messenger-accounts/${accountId}/call/help.getSupport`;
    const headers = { prefer: 'respond-async' };
    const { id } = await api.ok('POST', path, { params: {} }, { headers });
    await api.ok('DELETE', `/v1/calls/${id}`);
  }
  return { workspaceId, secret };
}

it('counts each call that is made once more, and a limited key makes no more than its limit at once', async () => {
  const { workspaceId, secret } = await cancelCalls(25);
  const wanted = { workspaceId, status: 'canceled' };
  const first = await api.request('POST', '/v1/calls/replay', wanted, { key: secret });
  expect(first.body).toMatchObject({ found: 10, replayed: 10 });
  expect(first.headers.get('ratelimit')).toMatch(/^"key";r=0;/);
  const startingAfter = first.body.next;
  const second = await api.request('POST', '/v1/calls/replay', { ...wanted, startingAfter }, { key: secret });
  expect([second.status, second.body.code]).toEqual([429, 'rate_limited']);
  expect(await api.ok('POST', '/v1/calls/replay', wanted)).toMatchObject({ replayed: 15, skipped: 10 });
});

it('makes the calls of a workspace once more in one request at a time', async () => {
  const { workspaceId } = await cancelCalls(20);
  const answers = await Promise.all(
    [1, 2, 3].map(() => api.request('POST', '/v1/calls/replay', { workspaceId, status: 'canceled' })),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses[0]).toBe(200);
  expect(statuses).toContain(429);
});

it('leaves what is paused, and goes on behind it; a repeat gets its replay all the same', async () => {
  const { workspaceId } = await cancelCalls(3);
  const { data } = await api.ok('GET', `/v1/calls?workspaceId=${workspaceId}`);
  const first = await api.ok('POST', `/v1/calls/${data[0].id}/replay`);
  await api.ok('PUT', `/v1/pauses/workspace/${workspaceId}`, { mode: 'refuse' });
  const repeated = await api.ok('POST', `/v1/calls/${data[0].id}/replay`);
  expect(repeated.id).toBe(first.id);
  const other = await api.request('POST', `/v1/calls/${data[1].id}/replay`);
  expect([other.status, other.body.code]).toEqual([503, 'paused']);
  const all = await api.ok('POST', '/v1/calls/replay', { workspaceId, status: 'canceled' });
  expect(all).toEqual({ found: 3, replayed: 0, skipped: 1, paused: 2, next: null });
});

it('does not replay the replays that were made meanwhile', async () => {
  const { workspaceId } = await cancelCalls(103);
  const wanted = { workspaceId, status: 'canceled' };
  const { next } = await api.ok('POST', '/v1/calls/replay', wanted);
  const { data } = await api.ok('GET', `/v1/calls?workspaceId=${workspaceId}&status=queued`);
  for (const { id } of data) await api.ok('DELETE', `/v1/calls/${id}`);
  const rest = await api.ok('POST', '/v1/calls/replay', { ...wanted, startingAfter: next });
  expect(rest).toMatchObject({ found: 3, replayed: 3, next: null });
});
