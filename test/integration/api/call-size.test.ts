import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestApi } from '../../support/api/api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await TestApi.start();
});

afterAll(() => api.stop());

test('a call weighs what its body does, whether or not its length was said beforehand', async () => {
  const { workspaceId, accountId } = await api.aTenant();
  const path = `/workspaces/${workspaceId}/messenger-accounts/${accountId}/call/messages.sendMessage`;
  const params = { peer: { _: 'inputPeerSelf' }, message: 'x'.repeat(100_000) };
  const body = JSON.stringify({ params });
  const sizes: number[] = [];
  api.deps.calls.submit = async ({ bytes }) => {
    sizes.push(bytes);
    return { status: 200, offset: null, headers: {}, body: '{}' };
  };
  for (const sent of [body, new Blob([body]).stream()]) {
    const { status } = await fetch(`${api.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.rootKey}`, 'content-type': 'application/json' },
      body: sent,
      duplex: 'half',
    } as RequestInit);
    expect(status).toBe(200);
  }
  expect(sizes).toEqual([body.length, body.length]);
});
