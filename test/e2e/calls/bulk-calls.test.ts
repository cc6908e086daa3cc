import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, type Answer, Service } from '../../support/service/service.ts';

let service: Service;
let from: Account;
let to: Account;

beforeAll(async () => {
  service = await Service.start();
  const { id } = await service.aWorkspace();
  [from, to] = await Promise.all([service.anAccount(id), service.anAccount(id)]);
});

afterAll(() => service.stop());

function bulk(body: unknown, options: Parameters<Service['request']>[3] = {}): Promise<Answer> {
  return service.request('POST', `/workspaces/${from.workspaceId}/calls`, body, options);
}

function sending(message: string, more: object = {}) {
  const peer = { _: 'inputPeerUser', userId: to.userId, accessHash: '0' };
  return { accountId: from.id, method: 'messages.sendMessage', params: { peer, message }, ...more };
}

it('answers 100 calls in their order, each with its own result and txid', async () => {
  const calls = Array.from({ length: 100 }, (_, index) => sending(`bulk ${index}`));
  const answer = await bulk({ calls });
  expect(answer.status).toBe(200);
  const { results } = answer.body;
  expect(results).toHaveLength(100);
  expect(new Set(results.map(({ callId }: { callId: string }) => callId)).size).toBe(100);
  const stream = await service.updates(from.workspaceId);
  for (const [index, { status, body }] of results.entries()) {
    expect(status).toBe(200);
    const seen = stream.filter(
      ({ txid, messengerAccountId }) => txid === body.txid && messengerAccountId === to.id,
    );
    expect(seen.map(({ update }) => update.message.message)).toEqual([`bulk ${index}`]);
  }
  expect(answer.headers.get('stream-next-offset')).toBe(stream.at(-1)?.offset);
});

it('answers each call for itself, however wrong the others are', async () => {
  const foreign = await service.anAccount((await service.aWorkspace()).id);
  const { body, status } = await bulk({
    calls: [
      sending('first'),
      null,
      { ...sending('x'), accountId: foreign.id },
      { ...sending('x'), accountId: 7 },
      { ...sending('x'), method: 'messages.noSuchThing' },
      { ...sending('x'), params: { message: 'x' } },
      { ...sending('x'), surplus: 1 },
      sending('x', { idempotencyKey: 'n\u00e4' }),
      { accountId: from.id, method: 'messages.sendMessage' },
      { ...sending('x'), method: 'help.getNearestDc', params: {} },
      sending('last'),
    ],
  });
  expect(status).toBe(200);
  const seen = body.results.map(({ status, body }: Answer) => [status, body.code, body.errors?.[0].pointer]);
  expect(seen).toEqual([
    [200, undefined, undefined],
    [400, 'invalid_body', ''],
    [404, 'not_found', undefined],
    [400, 'invalid_body', '/accountId'],
    [404, 'unknown_method', undefined],
    [400, 'invalid_params', '/params/peer'],
    [400, 'invalid_body', '/surplus'],
    [400, 'invalid_body', '/idempotencyKey'],
    [400, 'invalid_body', '/params'],
    [501, 'method_not_implemented', undefined],
    [200, undefined, undefined],
  ]);
});

it('keeps Idempotency-Keys of its calls', async () => {
  const calls = [sending('keyed', { idempotencyKey: 'bulk-1' })];
  const first = await bulk({ calls });
  const second = await bulk({ calls });
  expect(second.body.results[0].body).toEqual(first.body.results[0].body);
  const other = await bulk({ calls: [sending('other', { idempotencyKey: 'bulk-1' })] });
  expect(other.body.results[0].body.code).toBe('idempotency_key_reused');
});

it.each([
  ['no calls', {}],
  ['none', { calls: [] }],
  ['too many', { calls: Array.from({ length: 101 }, () => null) }],
  ['no array', { calls: { 0: null } }],
  ['an unknown member', { calls: [null], more: 1 }],
  ['no object', []],
])('refuses a body with %s', async (_what, body) => {
  expect(await bulk(body)).toMatchObject({ status: 400, body: { code: 'invalid_body' } });
});

it('shows a workspace only to keys that may see it, and needs the scope', async () => {
  const { organizationId } = await service.ok('GET', `/v1/workspaces/${from.workspaceId}`);
  const stranger = await service.aWorkspace();
  const keyFor = (scopes: string[], organization: string) =>
    service.ok('POST', '/v1/api-keys', { name: 'key', scopes, organizationId: organization });
  const foreign = await keyFor(['calls:write'], stranger.organizationId);
  const reading = await keyFor(['calls:read'], organizationId);
  const calls = [sending('x')];
  expect((await bulk({ calls }, { key: foreign.secret })).status).toBe(404);
  expect((await bulk({ calls }, { key: reading.secret })).status).toBe(403);
});

it('only validates a call when asked to', async () => {
  const { params } = sending('never');
  const path = `/workspaces/${from.workspaceId}/messenger-accounts/${from.id}/call`;
  const only = (method: string, body: unknown, query = 'validate=only') =>
    service.request('POST', `${path}/${method}?${query}`, body);
  expect(await only('messages.sendMessage', { params })).toMatchObject({
    status: 200,
    body: { valid: true },
  });
  expect(await only('messages.sendMessage', { params: {} })).toMatchObject({ status: 400 });
  expect(await only('messages.sendMessage', { params }, 'validate=1')).toMatchObject({
    status: 400,
    body: { code: 'invalid_query' },
  });
  const none = { params: {} };
  expect(await only('help.getNearestDc', none)).toMatchObject({
    status: 501,
    body: { code: 'method_not_implemented' },
  });
  const stream = await service.updates(from.workspaceId);
  expect(stream.filter(({ update }) => update.message?.message === 'never')).toEqual([]);
});

it('only validates calls when asked to, whatever else is preferred', async () => {
  const calls = [
    sending('never together'),
    { ...sending('x'), params: {} },
    { ...sending('x'), method: 'help.getNearestDc', params: {} },
    sending('never together', { idempotencyKey: 'never-used' }),
  ];
  const only = (query: string, prefer = '') =>
    service.request(
      'POST',
      `/workspaces/${from.workspaceId}/calls?${query}`,
      { calls },
      { headers: { prefer } },
    );
  for (const prefer of ['', 'respond-async']) {
    const { status, body } = await only('validate=only', prefer);
    expect(status).toBe(200);
    expect(body.results.map((one: Answer) => [one.status, one.body.valid ?? one.body.code])).toEqual([
      [200, true],
      [400, 'invalid_params'],
      [501, 'method_not_implemented'],
      [200, true],
    ]);
  }
  expect(await only('validate=yes')).toMatchObject({ status: 400, body: { code: 'invalid_query' } });
  expect((await service.ok('GET', `/v1/calls?workspaceId=${from.workspaceId}`)).data).toEqual([]);
  const stream = await service.updates(from.workspaceId);
  expect(stream.filter(({ update }) => update.message?.message === 'never together')).toEqual([]);
});

it('refuses an Idempotency-Key for calls that each have their own', async () => {
  const answer = await bulk({ calls: [sending('x')] }, { headers: { 'idempotency-key': 'all' } });
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_header' } });
});

it('runs a call once that is there twice with one key', async () => {
  const calls = Array.from({ length: 20 }, () => sending('twice', { idempotencyKey: 'bulk-twice' }));
  const { results } = (await bulk({ calls })).body;
  const statuses = new Set(results.map(({ status, body }: Answer) => body.code ?? status));
  expect([...statuses].filter((one) => one !== 200 && one !== 'call_in_flight')).toEqual([]);
  const stream = await service.updates(from.workspaceId);
  const sent = stream.filter(
    ({ update, messengerAccountId }) => update.message?.message === 'twice' && messengerAccountId === to.id,
  );
  expect(sent).toHaveLength(1);
});

it('takes async calls in, and answers what is wrong with the others', async () => {
  const calls = [sending('async 1'), { ...sending('x'), params: {} }, sending('async 2')];
  const answer = await bulk({ calls }, { headers: { prefer: 'respond-async' } });
  expect(answer.headers.get('preference-applied')).toBe('respond-async');
  expect(answer.headers.get('stream-next-offset')).toBeNull();
  const { results } = answer.body;
  expect(results.map(({ status }: Answer) => status)).toEqual([202, 400, 202]);
  for (const { callId, body } of [results[0], results[2]]) {
    expect(body).toEqual({ id: callId, status: 'queued' });
    expect((await service.ok('GET', `/v1/calls/${callId}?wait=30`)).status).toBe('succeeded');
  }
});
