import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PAUSES, PAUSES_MAX } from '../../../src/control/change-control.ts';
import { Control } from '../../../src/control/control.ts';
import { TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';

let api: TestApi;
let tenant: Awaited<ReturnType<TestApi['aTenant']>>;
let submitted: string[];

beforeAll(async () => {
  api = await TestApi.start({ CALL_TIMEOUT_MS: '20000' });
  tenant = await api.aTenant();
  api.deps.calls.submit = async ({ workspaceId }) => {
    submitted.push(workspaceId);
    return { status: 200, offset: null, headers: {}, body: '{"result":{"_":"help.support"},"txid":1}' };
  };
});
afterAll(() => api.stop());
beforeEach(async () => {
  submitted = [];
  for (const { target } of (await api.ok('GET', '/v1/pauses?limit=100')).data)
    await api.ok('DELETE', `/v1/pauses/${target.kind}/${target.id}`);
});

const call = ({ workspaceId, accountId } = tenant, headers: Record<string, string> = {}) =>
  api.request(
    'POST',
    `/workspaces/${workspaceId}/messenger-accounts/${accountId}/call/help.getSupport`,
    { params: {} },
    { headers },
  );

const targets = () =>
  [
    ['workspace', tenant.workspaceId],
    ['account', tenant.accountId],
    ['method', 'help.getSupport'],
    ['lane', 'shared'],
  ] as const;

test('refuses the calls of what is paused with the reason, and takes them again once it is resumed', async () => {
  for (const [kind, id] of targets()) {
    const path = `/v1/pauses/${kind}/${id}`;
    const paused = await api.ok('PUT', path, { mode: 'refuse', reason: 'it is being moved' });
    expect(paused).toMatchObject({
      target: { kind, id },
      mode: 'refuse',
      reason: 'it is being moved',
      by: { id: null, name: 'root key' },
    });
    expect((await api.ok('GET', '/v1/pauses')).data).toEqual([paused]);
    const refused = await call();
    expect(refused).toMatchObject({ status: 503, body: { code: 'paused', retryable: true } });
    expect(refused.body.detail).toContain('it is being moved');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await api.request('DELETE', path)).toMatchObject({ status: 204 });
    expect(await api.request('DELETE', path)).toMatchObject({ status: 204 });
    expect((await call()).status).toBe(200);
  }
  expect(submitted).toHaveLength(4);
});

test('holds calls until they are resumed, and others are not held', async () => {
  const other = await api.aTenant();
  for (const [kind, id] of targets().slice(0, 2)) {
    await api.ok('PUT', `/v1/pauses/${kind}/${id}`, { mode: 'wait' });
    const waiting = Array.from({ length: 5 }, () => call());
    await eventually(() => api.deps.held.count === 5);
    expect((await call(other)).status).toBe(200);
    expect(submitted).toEqual([other.workspaceId]);
    await api.ok('DELETE', `/v1/pauses/${kind}/${id}`);
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(submitted.splice(0)).toEqual([other.workspaceId, ...Array(5).fill(tenant.workspaceId)]);
  }
});

test('takes async calls that have to wait, and refuses those that are refused', async () => {
  const prefer = { prefer: 'respond-async' };
  const path = `/v1/pauses/workspace/${tenant.workspaceId}`;
  await api.ok('PUT', path, { mode: 'wait' });
  const accepted = await call(tenant, prefer);
  expect(accepted.status).toBe(202);
  await api.ok('PUT', path, { mode: 'refuse' });
  expect(await call(tenant, prefer)).toMatchObject({ status: 503, body: { code: 'paused' } });
  await api.ok('DELETE', path);
  await api.ok('PUT', '/v1/pauses/lane/async', { mode: 'refuse' });
  expect(await call(tenant, prefer)).toMatchObject({ status: 503, body: { code: 'paused' } });
  expect((await call()).status).toBe(200);
});

test('holds only so many of a workspace, and refuses more', async () => {
  const path = `/v1/pauses/workspace/${tenant.workspaceId}`;
  await api.ok('PUT', path, { mode: 'wait' });
  // A twentieth of the thousand calls that this API takes.
  const waiting = Array.from({ length: 51 }, () => call());
  const first = await Promise.race(waiting);
  expect(first).toMatchObject({ status: 503, body: { code: 'paused' } });
  await eventually(() => api.deps.held.count === 50);
  await api.ok('DELETE', path);
  const statuses = (await Promise.all(waiting)).map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(50).fill(200), 503]);
});

test('a process that did not make the change follows it', async () => {
  const other = new Control(api.redis, api.deps.log, { ...api.deps.config });
  await other.start();
  const find = () =>
    other.pauses.find({ ...tenant, account: { id: tenant.accountId }, method: 'x' }, 'shared');
  expect(find()).toBeNull();
  await api.ok('PUT', `/v1/pauses/account/${tenant.accountId}`, { mode: 'wait' });
  await eventually(() => find()?.mode === 'wait');
  await api.redis.flushall();
  await eventually(() => find() === null);
  other.stop();
  await api.deps.control.refresh();
  tenant = await api.aTenant();
});

test('shows in the metrics what is paused and how many calls are held', async () => {
  await api.ok('PUT', `/v1/pauses/account/${tenant.accountId}`, { mode: 'wait' });
  await api.ok('PUT', '/v1/pauses/method/help.getConfig', { mode: 'refuse' });
  const waiting = call();
  await eventually(() => api.deps.held.count === 1);
  const metrics = (await api.request('GET', '/metrics')).body;
  expect(metrics).toContain('switchboard_pauses{mode="wait"} 1');
  expect(metrics).toContain('switchboard_pauses{mode="refuse"} 1');
  expect(metrics).toContain('switchboard_calls_held 1');
  await api.ok('DELETE', `/v1/pauses/account/${tenant.accountId}`);
  await waiting;
});

test('knows what may be paused, by whom, and how much', async () => {
  const put = (path: string, body: object = { mode: 'wait' }, key = api.rootKey) =>
    api.request('PUT', `/v1/pauses/${path}`, body, { key });
  expect((await put('workspace/ws_01h455vb4pex5vsknk084sn02q')).status).toBe(404);
  expect((await put('method/help.getNothing')).body.code).toBe('unknown_method');
  expect((await put('lane/lone')).status).toBe(404);
  expect((await put('planet/earth')).status).toBe(404);
  expect((await put('lane/slow', { mode: 'later' })).status).toBe(400);
  expect((await put('lane/slow', { mode: 'wait', reason: 'x'.repeat(301) })).status).toBe(400);
  const { organizationId } = tenant;
  const operator = await api.aKey({ organizationId }, ['operate']);
  const tenants = await api.aKey({ organizationId }, ['calls:write', 'workspaces:write', 'metrics:read']);
  expect((await put('lane/slow', { mode: 'wait' }, tenants)).status).toBe(403);
  const paused = await put('lane/slow', { mode: 'wait' }, operator);
  expect(paused).toMatchObject({
    status: 200,
    body: { by: { id: expect.stringMatching(/^key_/), name: 'Key' } },
  });
  const many = Array.from({ length: PAUSES_MAX }, (_, i) => [`method:x${i}`, '{}']).flat();
  await api.redis.hset(PAUSES, ...many);
  expect(await put('lane/shared')).toMatchObject({ status: 409, body: { code: 'conflict' } });
  await api.redis.del(PAUSES);
});

test('knows what may be resumed: what exists, and what is paused', async () => {
  const resume = (path: string) => api.request('DELETE', `/v1/pauses/${path}`);
  const unknown = ['workspace/ws_01h455vb4pex5vsknk084sn02q', 'account/acc_x', 'lane/lone', 'planet/earth'];
  for (const path of unknown) {
    const answer = await resume(path);
    expect([path, answer.status, answer.body.code]).toEqual([path, 404, 'not_found']);
    expect(answer.body.detail).not.toBe('');
  }
  expect((await resume('method/help.getNothing')).body.code).toBe('unknown_method');
  for (const [kind, id] of targets()) expect((await resume(`${kind}/${id}`)).status).toBe(204);
  // A worker removes the pauses of what is deleted only later.
  const { workspaceId, accountId } = await api.aTenant();
  await api.ok('PUT', `/v1/pauses/account/${accountId}`, { mode: 'wait' });
  await api.ok('DELETE', `/v1/workspaces/${workspaceId}?cascade=true`);
  expect((await resume(`account/${accountId}`)).status).toBe(204);
  expect((await resume(`account/${accountId}`)).status).toBe(404);
});

test('resumes nothing unknown, and leaves what is not paused as it is', async () => {
  const resume = (path: string) => api.request('DELETE', `/v1/pauses/${path}`);
  expect((await resume('workspace/ws_01h455vb4pex5vsknk084sn02q')).body).toMatchObject({
    status: 404,
    detail: expect.stringContaining('GET /v1/workspaces lists'),
  });
  expect((await resume('method/help.getConfg')).body.detail).toContain('`help.getConfig`');
  expect((await resume('lane/slwo')).body.detail).toContain('shared, slow, async');
  expect((await resume(`workspace/${tenant.workspaceId}`)).status).toBe(204);
  expect((await resume('lane/slow')).status).toBe(204);
});

test('lists page after page', async () => {
  for (const name of ['shared', 'slow', 'async'])
    await api.ok('PUT', `/v1/pauses/lane/${name}`, { mode: 'wait' });
  const first = await api.ok('GET', '/v1/pauses?limit=2');
  expect(first.data.map(({ target }: { target: { id: string } }) => target.id)).toEqual(['async', 'shared']);
  const rest = await api.ok('GET', `/v1/pauses?limit=2&startingAfter=${first.cursors.next}`);
  expect(rest).toMatchObject({ data: [{ target: { id: 'slow' } }], hasMore: false });
  await api.ok('DELETE', '/v1/pauses/lane/slow');
  const empty = await api.ok('GET', `/v1/pauses?limit=2&startingAfter=${first.cursors.next}`);
  expect(empty).toMatchObject({ data: [], hasMore: false });
  const back = await api.ok('GET', `/v1/pauses?limit=2&endingBefore=${empty.cursors.previous}`);
  expect(back.data).toEqual(first.data);
});
