import { afterAll, beforeAll, expect, it } from 'vitest';
import { Problem } from '../../../src/problem.ts';
import { decodeFrame, encodeFrame } from '../../../src/queue/frame.ts';
import { TestApi } from '../../support/api/api.ts';

let api: TestApi;
let path: string;

beforeAll(async () => {
  api = await TestApi.start();
  const { workspaceId, accountId } = await api.aTenant();
  path = `/workspaces/${workspaceId}/messenger-accounts/${accountId}/call/help.getSupport`;
});

afterAll(() => api.stop());

it.each([
  ['when a worker does not', undefined, '1'],
  ['as a worker does', { 'retry-after': '7' }, '7'],
])('says when to come back for a call that cannot be served now, %s', async (_, headers, expected) => {
  const problem = JSON.stringify(new Problem('unavailable'));
  api.deps.calls.submit = async () => decodeFrame(encodeFrame(503, '', problem, headers));
  const answer = await api.request('POST', path, { params: {} });
  expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect(answer.headers.get('retry-after')).toBe(expected);
});
