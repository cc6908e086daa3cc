import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AsyncCall } from '../../../src/async-calls/async-call.ts';
import { callName } from '../../../src/async-calls/call-keys.ts';
import { findCall } from '../../../src/async-calls/find-call.ts';
import { publishDriverMethods } from '../../../src/directory/driver-methods.ts';
import { identifyKey } from '../../../src/ledger/identify-key.ts';
import { Problem } from '../../../src/problem.ts';
import { encodeFrame } from '../../../src/queue/frame.ts';
import { ledgerKey, stateKey } from '../../../src/redis/keys.ts';
import { TestApi } from '../../support/api/api.ts';
import { appendUpdates } from '../../support/api/append-update.ts';
import { endStoredCall } from '../../support/api/async-calls.ts';
import { eventually } from '../../support/eventually.ts';
import { RawConnection } from '../../support/http/raw-connection.ts';
import { isCollected } from '../../support/is-collected.ts';

const MiB = 1024 * 1024;

let api: TestApi;
let tenant: { organizationId: string; workspaceId: string; accountId: string };

beforeAll(async () => {
  api = await TestApi.start({ ANSWER_BYTES_IN_FLIGHT_MAX: String(4 * MiB) });
  tenant = await api.aTenant();
});
afterAll(() => api.stop());

const pathOf = (method: string) =>
  `/workspaces/${tenant.workspaceId}/messenger-accounts/${tenant.accountId}/call/${method}`;

/** An async call as it goes over the wire. */
function callText(key: string, waitSeconds: number, method = 'help.getSupport', params: object = {}): string {
  const body = JSON.stringify({ params });
  const lines = [
    `POST ${pathOf(method)} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${api.rootKey}`,
    'content-type: application/json',
    `prefer: respond-async, wait=${waitSeconds}`,
    `idempotency-key: ${key}`,
    `content-length: ${body.length}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

async function accept(key: string): Promise<string> {
  const headers = { prefer: 'respond-async', 'idempotency-key': key };
  return (await api.ok('POST', pathOf('help.getSupport'), { params: {} }, { headers })).id;
}

test('keeps no params of calls whose end is awaited', async () => {
  const WAITING = 20;
  const heldBytes = async () => {
    await isCollected(new WeakRef({}));
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const params = { peer: { _: 'inputPeerSelf' }, message: 'x'.repeat(900_000) };
  const before = await heldBytes();
  const callers = await Promise.all(Array.from({ length: WAITING }, () => RawConnection.open(api.url)));
  for (const caller of callers) caller.send(callText('waits', 60, 'messages.sendMessage', params));
  await eventually(() => api.deps.updates.lag.readers === WAITING);
  const isLittle = async () => (await heldBytes()) - before < (WAITING / 4) * MiB;
  const wasLetGo = await eventually(isLittle).catch(() => false);
  for (const caller of callers) caller.close();
  expect(wasLetGo).toBe(true);
});

test('results of async calls that nobody takes count as unread answers: one without room is told where it is', async () => {
  const { redis } = api;
  const id = await accept('large');
  const call = await findCall(redis, tenant.workspaceId, id);
  if (call === null) throw new Error('the call is gone');
  await endStoredCall(redis, call, { _: 'help.support', phoneNumber: 'x'.repeat(900_000) });
  await accept('open');
  const connection = await RawConnection.open(api.url);
  // The others are made and wait behind the first answer.
  connection.send(callText('open', 6) + callText('large', 1).repeat(6));
  const answers = await connection.answers(7, 30_000);
  connection.close();
  expect(answers.map(({ status }) => status)).toEqual([202, 200, 200, 202, 202, 202, 202]);
  expect(answers[3]?.headers.location).toBe(`/v1/calls/${id}`);
  expect(answers[1]?.headers['call-id']).toBe(id);
});

test('the recorded answers of a bulk of async calls count too', async () => {
  const { accountId, workspaceId } = tenant;
  const key = 'sync';
  const { ledger, payload } = identifyKey({ accountId, key, method: 'help.getSupport', params: {} });
  const frame = encodeFrame(200, '', JSON.stringify({ result: { _: 'x'.repeat(60_000) }, txid: 1 }));
  await api.redis.hset(ledgerKey(workspaceId, ledger), 'reply', `done:${payload}\n${frame}`);
  const one = { accountId, method: 'help.getSupport', params: {}, idempotencyKey: key };
  const wanted = { calls: Array(100).fill(one) };
  const headers = { prefer: 'respond-async' };
  const { results } = await api.ok('POST', `/workspaces/${workspaceId}/calls`, wanted, { headers });
  const found = results.map(({ status, body }: { status: number; body: { code?: string } }) =>
    status === 200 ? 'answered' : body.code,
  );
  expect(found.filter((how: string) => how === 'answered').length).toBeLessThan(40);
  expect(found.at(-1)).toBe('overloaded');
});

test.each([new Problem('rate_limited', { headers: { 'retry-after': '70' } }), new Problem('unavailable')])(
  'a call that has failed for good (%s) is not to be repeated with its key, but replayed',
  async (problem) => {
    const id = await accept(problem.code);
    const call = await findCall(api.redis, tenant.workspaceId, id);
    await endStoredCall(api.redis, call as AsyncCall, problem);
    const headers = { prefer: 'respond-async, wait=5', 'idempotency-key': problem.code };
    const answer = await api.request('POST', pathOf('help.getSupport'), { params: {} }, { headers });
    const { status, code, title } = problem;
    expect(answer.body).toEqual({
      ...{ type: `/problems/${code}`, title, status, code, retryable: false },
      detail: expect.stringContaining(`POST /v1/calls/${id}/replay`),
    });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, null]);
    const { error } = await api.ok('GET', `/v1/calls/${id}`);
    expect(error).toMatchObject({ retryable: true, retryAfter: problem.retryAfter });
  },
);

test('a page of updates without room is refused without what it would have told of the stream', async () => {
  const { workspaceId } = await api.aTenant();
  await appendUpdates(api.redis, workspaceId, [{ value: 'x'.repeat(900_000) }]);
  const path = `/v1/workspaces/${workspaceId}/updates`;
  const get = (query: string) =>
    `GET ${path}${query} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${api.rootKey}\r\n\r\n`;
  const connection = await RawConnection.open(api.url);
  // The pages are made and wait behind the first answer.
  connection.send(get('?offset=now&live=long-poll') + get('').repeat(2));
  const refused = await eventually(async () => {
    const answer = await api.request('GET', path);
    return answer.status === 503 ? answer : undefined;
  });
  connection.close();
  expect(refused.body.code).toBe('overloaded');
  for (const name of ['stream-next-offset', 'stream-up-to-date', 'etag'])
    expect([name, refused.headers.get(name)]).toEqual([name, null]);
});

test('a schedule that is over is refused by a validation as it is by the call itself', async () => {
  await publishDriverMethods(api.redis, 'sandbox', ['help.getSupport']);
  const path = pathOf('help.getSupport');
  const times = (scheduleAt: string, expiresAt?: string) => ({ params: {}, scheduleAt, expiresAt });
  const wrong = [
    [times('2020-01-31T12:00:00Z'), '/scheduleAt'],
    [times(new Date(Date.now() + 60_000).toISOString(), new Date().toISOString()), '/expiresAt'],
  ] as const;
  for (const [wanted, pointer] of wrong) {
    const refusal = { status: 400, body: { code: 'invalid_body', errors: [{ pointer }] } };
    expect(await api.request('POST', path, wanted)).toMatchObject(refusal);
    for (const headers of [{}, { 'idempotency-key': 'unused' }])
      expect(await api.request('POST', `${path}?validate=only`, wanted, { headers })).toMatchObject(refusal);
  }
  const soon = times(new Date(Date.now() + 60_000).toISOString());
  expect(await api.ok('POST', `${path}?validate=only`, soon)).toEqual({ valid: true });
});

test('a call that runs for longer than its caller waits is answered as the document says', async () => {
  const id = await accept('runs');
  await api.redis.hset(stateKey(tenant.workspaceId, callName(id)), 'running', '1');
  const headers = { prefer: 'respond-async, wait=1', 'idempotency-key': 'runs' };
  const { status, body } = await api.request('POST', pathOf('help.getSupport'), { params: {} }, { headers });
  expect([status, body]).toEqual([202, { id, status: 'running' }]);
  const { components } = await api.ok('GET', '/openapi.json');
  expect(components.schemas.AcceptedCall.properties.status.enum).toContain(body.status);
});
