import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { callAsync, endEvents, endOf, messageTo } from '../../support/service/async-calls.ts';
import { type Account, Service } from '../../support/service/service.ts';

const SEND = 'messages.sendMessage';

let service: Service;
let from: Account;
let to: Account;

beforeAll(async () => {
  service = await Service.start({ env: { ASYNC_CALL_RETRY_MS: '20', ASYNC_CALL_ATTEMPTS_MAX: '3' } });
  const { id } = await service.aWorkspace();
  [from, to] = await Promise.all([service.anAccount(id), service.anAccount(id)]);
});

afterAll(() => service.stop());

function fail(account: Account, faults: object[]): Promise<unknown> {
  return service.ok('PUT', `/v1/messenger-accounts/${account.id}/sandbox/faults`, { faults });
}

async function faultsOf(account: Account): Promise<object[]> {
  return (await service.ok('GET', `/v1/messenger-accounts/${account.id}/sandbox/faults`)).faults;
}

async function received(message: string) {
  const stream = await service.updates(to.workspaceId, '-1', `messengerAccountId=${to.id}`);
  return stream.filter(({ update }) => update.message?.message === message);
}

it('answers 202 at once, and tells the result by the id of the call', async () => {
  const answer = await callAsync(service, from, SEND, messageTo(to, 'later'));
  expect(answer.status).toBe(202);
  const { id } = answer.body;
  expect(answer.body).toEqual({ id, status: 'queued' });
  expect(answer.headers.get('location')).toBe(`/v1/calls/${id}`);
  expect(answer.headers.get('preference-applied')).toBe('respond-async');
  expect(answer.headers.get('call-id')).toBe(id);
  const call = await endOf(service, id);
  expect(call).toMatchObject({
    id,
    workspaceId: from.workspaceId,
    messengerAccountId: from.id,
    method: SEND,
    status: 'succeeded',
    error: null,
    attempts: 1,
  });
  const [update] = await received('later');
  expect(update.txid).toBe(call.txid);
  expect(call.result._).toBe('updateShortSentMessage');
  const events = await endEvents(service, from.workspaceId, id);
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({
    kind: 'call.succeeded',
    txid: call.txid,
    messengerAccountId: from.id,
    update: { _: 'call.succeeded', callId: id, method: SEND, result: call.result },
  });
});

it('waits as long as it is told to, and then answers like a sync call', async () => {
  const quick = await callAsync(service, from, SEND, messageTo(to, 'quick'), {
    headers: { prefer: 'respond-async, wait=30' },
  });
  expect(quick.status).toBe(200);
  expect(quick.headers.get('preference-applied')).toBe('respond-async, wait=30');
  expect(quick.body.txid).toBeTypeOf('number');
  const stream = await service.updates(from.workspaceId, quick.headers.get('stream-next-offset') ?? '');
  expect(stream.filter(({ txid }) => txid === quick.body.txid)).toEqual([]);

  await fail(from, [{ method: SEND, count: 1, delayMs: 5_000 }]);
  const slow = await callAsync(service, from, SEND, messageTo(to, 'slow'), {
    headers: { prefer: 'respond-async; x=1, wait="1"' },
  });
  expect(slow.status).toBe(202);
  expect((await endOf(service, slow.body.id)).status).toBe('succeeded');
});

it('ends a call that is refused, with the refusal and the txid of its event', async () => {
  const wrong = { peer: { _: 'inputPeerUser', userId: 999_999_999, accessHash: '0' }, message: 'x' };
  const { body } = await callAsync(service, from, SEND, wrong);
  const call = await endOf(service, body.id);
  expect(call).toMatchObject({ status: 'failed', result: null, attempts: 1, error: { retryable: false } });
  const events = await endEvents(service, from.workspaceId, body.id);
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({
    kind: 'call.failed',
    txid: call.txid,
    update: { status: 'failed', error: call.error },
  });
});

it('tries again what may pass, and gives up after so many attempts', async () => {
  await fail(from, [{ method: SEND, count: 2, error: 'FLOOD_WAIT_1' }]);
  const passing = await callAsync(service, from, SEND, messageTo(to, 'third time'));
  const passed = await endOf(service, passing.body.id);
  expect(passed).toMatchObject({ status: 'succeeded', attempts: 3 });
  // The API process estimates Redis' time, and that may be set back a little.
  expect(Date.parse(passed.finishedAt) - Date.parse(passed.createdAt)).toBeGreaterThan(1_950);
  expect(await received('third time')).toHaveLength(1);

  await fail(from, [{ method: SEND, count: 5, error: 'INTERDC_1_CALL_ERROR' }]);
  const failing = await callAsync(service, from, SEND, messageTo(to, 'never'));
  const failed = await endOf(service, failing.body.id);
  expect(failed).toMatchObject({ status: 'failed', attempts: 3 });
  await fail(from, []);
  expect(await received('never')).toEqual([]);
});

it('cancels a call that waits, and one that runs, but none that has ended', async () => {
  const scheduleAt = new Date(Date.now() + 3_600_000).toISOString();
  const waiting = await callAsync(service, from, SEND, messageTo(to, 'waiting'), { more: { scheduleAt } });
  const canceled = await service.request('DELETE', `/v1/calls/${waiting.body.id}`);
  expect(canceled).toMatchObject({ status: 200, body: { status: 'canceled', error: { code: 'canceled' } } });
  expect((await service.request('DELETE', `/v1/calls/${waiting.body.id}`)).status).toBe(200);
  expect(await endEvents(service, from.workspaceId, waiting.body.id)).toMatchObject([
    { kind: 'call.failed', txid: canceled.body.txid, update: { status: 'canceled' } },
  ]);

  await fail(from, [{ method: SEND, count: 1, delayMs: 50_000 }]);
  const running = await callAsync(service, from, SEND, messageTo(to, 'running'));
  await eventually(async () => (await faultsOf(from)).length === 0);
  expect((await service.ok('GET', `/v1/calls/${running.body.id}`)).status).toBe('running');
  expect((await service.request('DELETE', `/v1/calls/${running.body.id}`)).status).toBe(200);
  expect((await endOf(service, running.body.id)).status).toBe('canceled');
  expect(await received('running')).toEqual([]);

  const done = await callAsync(service, from, SEND, messageTo(to, 'done'), {
    headers: { prefer: 'respond-async, wait=30' },
  });
  expect(await service.request('DELETE', `/v1/calls/${done.headers.get('call-id')}`)).toMatchObject({
    status: 409,
    body: { code: 'call_ended', detail: expect.stringContaining('has its result') },
  });
});

it('shows calls only to keys that may see them', async () => {
  const done = await callAsync(service, from, SEND, messageTo(to, 'mine'));
  const { id } = done.body;
  await endOf(service, id);
  const stranger = await service.aWorkspace();
  const { organizationId } = await service.ok('GET', `/v1/workspaces/${from.workspaceId}`);
  const keyOf = async (organization: string, scopes: string[]) =>
    (await service.ok('POST', '/v1/api-keys', { name: 'key', scopes, organizationId: organization })).secret;
  const foreign = await keyOf(stranger.organizationId, ['calls:read', 'calls:write']);
  const reading = await keyOf(organizationId, ['calls:read']);
  for (const [method, path] of [
    ['GET', `/v1/calls/${id}`],
    ['DELETE', `/v1/calls/${id}`],
    ['POST', `/v1/calls/${id}/replay`],
  ] as const) {
    const answer = await service.request(method, path, undefined, { key: foreign });
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
  expect((await service.request('GET', `/v1/calls/${id}`, undefined, { key: reading })).status).toBe(200);
  expect((await service.request('DELETE', `/v1/calls/${id}`, undefined, { key: reading })).status).toBe(403);
  const list = await service.request('GET', '/v1/calls', undefined, { key: foreign });
  expect(list.body.data).toEqual([]);
  const filtered = await service.request('GET', `/v1/calls?workspaceId=${from.workspaceId}`, undefined, {
    key: foreign,
  });
  expect(filtered.body.data).toEqual([]);
  const own = await service.request('GET', '/v1/calls?limit=100', undefined, { key: reading });
  expect(own.body.data.map((call: { id: string }) => call.id)).toContain(id);
});
