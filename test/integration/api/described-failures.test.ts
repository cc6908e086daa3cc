import { afterAll, beforeAll, expect, test } from 'vitest';
import { Problem } from '../../../src/problem.ts';
import type { ProblemCode } from '../../../src/problem-table.ts';
import { TestApi } from '../../support/api/api.ts';
import { appendUpdates } from '../../support/api/append-update.ts';
import { storeCall } from '../../support/api/async-calls.ts';
import { Contract } from '../../support/http/contract.ts';

let api: TestApi;
let contract: Contract;
let tenant: { organizationId: string; workspaceId: string; accountId: string };

beforeAll(async () => {
  api = await TestApi.start();
  contract = new Contract(await api.ok('GET', '/openapi.json'));
  tenant = await api.aTenant();
});
afterAll(() => api.stop());

/** The status of an answer, and what is wrong with it by the document. */
async function judge(verb: string, path: string, body?: object, id = tenant.accountId): Promise<unknown[]> {
  const answer = await api.request(verb, path.replace('{id}', id), body);
  return [answer.status, contract.wrongWith({ verb, path: path.split('?', 1)[0] as string }, answer)];
}

const ACCOUNT = '/v1/messenger-accounts/{id}';

test.each<[ProblemCode, number, boolean]>([
  ['call_timeout', 504, true],
  ['outcome_unknown', 502, true],
  ['workspace_full', 507, false],
])('the document describes that an order to a driver ends with %s', async (code, status, isOfAny) => {
  api.book.failWith = new Problem(code);
  const { workspaceId } = tenant;
  const found = [
    await judge('POST', '/v1/messenger-accounts', { workspaceId, name: 'x' }),
    await judge('PUT', `${ACCOUNT}/sandbox/faults`, { faults: [] }),
    await judge('PUT', `${ACCOUNT}/sandbox/sponsored-messages`, { messages: [] }),
    await judge('POST', `${ACCOUNT}/sandbox/reset`),
  ];
  if (isOfAny) {
    found.push(await judge('GET', `${ACCOUNT}/sandbox/faults`));
    found.push(await judge('GET', `${ACCOUNT}/sandbox/sponsored-messages`));
    found.push(await judge('DELETE', ACCOUNT));
  }
  api.book.failWith = null;
  expect(found).toEqual(found.map(() => [status, null]));
});

test('the document describes what a full workspace refuses', async () => {
  const { workspaceId } = tenant;
  const id = await storeCall(api.redis, { ...tenant, result: 'failed' });
  await appendUpdates(api.redis, workspaceId, [{ value: 'x'.repeat(1_000) }]);
  await api.ok('PATCH', `/v1/workspaces/${workspaceId}`, { bytesMax: 1 });
  const full = [507, null];
  expect(await judge('POST', '/v1/webhooks', { workspaceId, url: 'https://8.8.8.8/' })).toEqual(full);
  expect(await judge('POST', '/v1/calls/{id}/replay', undefined, id)).toEqual(full);
  expect(await judge('POST', '/v1/calls/replay', { workspaceId })).toEqual(full);
});
