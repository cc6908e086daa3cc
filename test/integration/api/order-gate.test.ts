import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { OrderGate } from '../../../src/api/limits/order-gate.ts';
import { FRESH_MS } from '../../../src/directory/directory-watch.ts';
import { Problem } from '../../../src/problem.ts';
import { type ApiAnswer, TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';
import { RawConnection } from '../../support/http/raw-connection.ts';

// What `src/api/limits/order-gate.ts` promises.
const PER_WORKSPACE = 8;
const WAITING_PER_WORKSPACE = 200;
const BODY_BYTES = 1024 * 1024;
// Of an organization that is alone.
const MOST = 16;

let api: TestApi;
/** Lets the orders go on that are under way; they are held from when it is set. */
let letGo: () => void;
let held: string[];

beforeAll(async () => {
  // A machine that stands still for seconds must not have a request answered `unavailable` whose order is to be held.
  api = await TestApi.start({}, { role: 'worker' });
  const { accountControl } = api.deps;
  const connect = accountControl.connectAccount;
  let hold = Promise.resolve();
  letGo = () => undefined;
  holdOrders = () => {
    held = [];
    hold = new Promise((resolve) => {
      letGo = resolve;
    });
  };
  accountControl.connectAccount = async (account, signal) => {
    held?.push(account.workspaceId);
    await hold;
    return connect(account, signal);
  };
});
afterAll(() => api.stop());

let holdOrders: () => void;

async function aWorkspace(organizationId: string): Promise<string> {
  return (await api.ok('POST', '/v1/workspaces', { name: 'Workspace', organizationId })).id;
}

async function anOrganization(): Promise<string> {
  return (await api.ok('POST', '/v1/organizations', { name: 'Organization' })).id;
}

async function anAccount(organizationId: string): Promise<string> {
  const workspaceId = await aWorkspace(organizationId);
  return (await api.ok('POST', '/v1/messenger-accounts', { name: 'Account', workspaceId })).id;
}

function createText(workspaceId: string): string {
  const body = JSON.stringify({ name: 'Account', workspaceId });
  const head = `POST /v1/messenger-accounts HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${api.rootKey}\r\n`;
  return `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

async function accountsOf(workspaceId: string): Promise<unknown[]> {
  return (await api.ok('GET', `/v1/messenger-accounts?workspaceId=${workspaceId}&limit=100`)).data;
}

it('has few accounts of a workspace under way, lets others wait, and refuses those beyond', async () => {
  const workspaceId = await aWorkspace(await anOrganization());
  holdOrders();
  const body = { name: 'Account', workspaceId };
  const beyond = 5;
  const asked = Array.from({ length: PER_WORKSPACE + WAITING_PER_WORKSPACE + beyond }, () =>
    api.request('POST', '/v1/messenger-accounts', body),
  );
  let answered = 0;
  for (const one of asked) void one.then(() => (answered += 1));
  const refused = await Promise.race([
    ...asked.map((one) => one.then((answer) => answer)),
    sleep(20_000).then(() => null),
  ]);
  // All have come by then: one that comes later would find room.
  await eventually(() => answered === beyond);
  expect(refused?.status).toBe(429);
  expect(refused?.body).toMatchObject({ code: 'rate_limited' });
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  await eventually(() => held.length === PER_WORKSPACE);
  await sleep(200);
  expect(held.length).toBe(PER_WORKSPACE);
  letGo();
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429).length).toBe(beyond);
  expect(statuses.filter((status) => status === 201).length).toBe(PER_WORKSPACE + WAITING_PER_WORKSPACE);
}, 60_000);

it('begins none whose caller is gone, and serves another organization meanwhile', async () => {
  const organizationId = await anOrganization();
  const many = [
    await aWorkspace(organizationId),
    await aWorkspace(organizationId),
    await aWorkspace(organizationId),
  ];
  const other = await aWorkspace(await anOrganization());
  holdOrders();
  const closed = new Set<number | undefined>();
  const note = (socket: Socket) => {
    const { remotePort } = socket;
    socket.once('close', () => closed.add(remotePort));
  };
  api.app.server.on('connection', note);
  const connections = await Promise.all(Array.from({ length: 12 }, () => RawConnection.open(api.url)));
  for (const [place, connection] of connections.entries())
    connection.send(createText(many[place % many.length] as string).repeat(10));
  // Of one organization no more than of two workspaces are under way.
  await eventually(() => held.length === 2 * PER_WORKSPACE);
  await sleep(200);
  expect(held.length).toBe(2 * PER_WORKSPACE);
  const created = api.request('POST', '/v1/messenger-accounts', { name: 'Account', workspaceId: other });
  await eventually(() => held.includes(other));
  const ports = connections.map(({ socket }) => socket.localPort);
  for (const connection of connections) connection.close();
  // A caller that is gone looks like one that only sends no more, until it refuses the second `102 Processing`.
  await eventually(() => ports.every((port) => closed.has(port)));
  api.app.server.off('connection', note);
  letGo();
  expect((await created).status).toBe(201);
  await sleep(500);
  expect(held.length).toBe(2 * PER_WORKSPACE + 1);
  // Those that wait leave no account behind that is being connected for ever.
  const left = (await Promise.all(many.map(accountsOf))).flat();
  expect(left.length).toBeLessThanOrEqual(2 * PER_WORKSPACE);
}, 60_000);

it('bounds what waits by the bytes of its bodies, and leaves another organization its share', async () => {
  const accounts = await Promise.all([await anOrganization(), await anOrganization()].map(anAccount));
  const [url = '', other = ''] = accounts.map(
    (id) => `/v1/messenger-accounts/${id}/sandbox/sponsored-messages`,
  );
  const { accountControl } = api.deps;
  const { control } = accountControl;
  let go: (() => void) | undefined;
  const hold = new Promise<void>((resolve) => {
    go = resolve;
  });
  accountControl.control = async () => {
    await hold;
    return { messages: [] };
  };
  const put = (to: string, body: unknown) => api.request('PUT', to, body);
  const large = JSON.stringify({ messages: [] }).padEnd(BODY_BYTES);
  const many = (to: string, count: number) => Array.from({ length: count }, () => put(to, large));
  const first = many(url, MOST + 1);
  const refused = { status: 503, body: { code: 'overloaded', retryable: true } };
  expect(await Promise.race(first)).toMatchObject(refused);
  const small = put(url, { messages: [] });
  const second = many(other, MOST / 2 + 1);
  expect(await Promise.race(second)).toMatchObject(refused);
  go?.();
  const statuses = (await Promise.all([...first, ...second, small])).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(MOST + MOST / 2 + 1);
  const again = (await Promise.all(many(url, MOST))).map(({ status }) => status);
  expect(again).toEqual(Array(MOST).fill(200));
  accountControl.control = control;
}, 60_000);

it('counts the body of a bulk until its accounts are connected', async () => {
  const workspaceId = await aWorkspace(await anOrganization());
  const body = JSON.stringify({ workspaceId, accounts: [{ name: 'Account' }] }).padEnd(BODY_BYTES);
  const send = () => api.request('POST', '/v1/messenger-accounts/bulk', body);
  holdOrders();
  const sent = Array.from({ length: MOST + 1 }, send);
  expect(await Promise.race(sent)).toMatchObject({ status: 503, body: { code: 'overloaded' } });
  letGo();
  const statuses = (await Promise.all(sent)).map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(MOST).fill(200), 503]);
  expect((await send()).status).toBe(200);
}, 60_000);

/** Waits until something holds; throws if one of the requests is answered before. */
async function beforeAnswers(requests: Promise<ApiAnswer>[], holds: () => boolean): Promise<void> {
  const early = requests.map(async (request) => {
    const { status, body } = await request;
    throw new Error(`answered too early: ${status} ${JSON.stringify(body)}`);
  });
  await Promise.race([eventually(holds), ...early]);
}

/** Makes requests with an API key that is deleted while they wait for their turn. */
async function deletedWhileWaiting(
  make: (accountId: string, workspaceId: string) => [verb: string, path: string, body?: object][],
) {
  const organizationId = await anOrganization();
  const accountId = await anAccount(organizationId);
  const { workspaceId } = await api.ok('GET', `/v1/messenger-accounts/${accountId}`);
  const key = await api.ok('POST', '/v1/api-keys', { name: 'Key', workspaceId, scopes: ['accounts:write'] });
  holdOrders();
  const create = () => api.request('POST', '/v1/messenger-accounts', { name: 'Account', workspaceId });
  const first = Array.from({ length: PER_WORKSPACE }, create);
  await beforeAnswers(first, () => held.length === PER_WORKSPACE);
  const run = vi.spyOn(api.deps.orders, 'run');
  const made = make(accountId, workspaceId);
  const waiting = made.map(([verb, path, body]) => api.request(verb, path, body, { key: key.secret }));
  const valid = create();
  await beforeAnswers([...waiting, valid], () => run.mock.calls.length === made.length + 1);
  await api.ok('DELETE', `/v1/api-keys/${key.id}`);
  await sleep(2 * FRESH_MS);
  return { accountId, workspaceId, first, waiting, valid };
}

it('begins nothing of an API key that was deleted while it waited', async () => {
  const { accountId, workspaceId, first, waiting, valid } = await deletedWhileWaiting((id, workspaceId) => {
    const account = `/v1/messenger-accounts/${id}`;
    return [
      ['POST', '/v1/messenger-accounts', { name: 'Account', workspaceId }],
      ['POST', '/v1/messenger-accounts/bulk', { workspaceId, accounts: [{ name: 'Account' }] }],
      ['DELETE', account],
      ['PUT', `${account}/sandbox/faults`, { faults: [] }],
      ['PUT', `${account}/sandbox/sponsored-messages`, { messages: [] }],
      ['POST', `${account}/sandbox/reset`],
    ];
  });
  const before = api.book.orders.length;
  letGo();
  const statuses = (await Promise.all([...waiting, ...first, valid])).map(({ status }) => status);
  const created = PER_WORKSPACE + 1;
  expect(statuses).toEqual([...waiting.map(() => 401), ...Array(created).fill(201)]);
  const given = api.book.orders.slice(before).map(({ order }) => order);
  expect(given).toEqual(Array(created).fill('connectAccount'));
  expect(await accountsOf(workspaceId)).toHaveLength(1 + created);
  expect((await api.request('GET', `/v1/messenger-accounts/${accountId}`)).status).toBe(200);
});

it('deletes no account for such a key while the memory of Redis is full', async () => {
  const { accountId, first, waiting, valid } = await deletedWhileWaiting((id) => [
    ['DELETE', `/v1/messenger-accounts/${id}`],
  ]);
  await api.redis.config('SET', 'maxmemory', '1');
  letGo();
  const [refused] = await Promise.all(waiting);
  await Promise.all([...first, valid]);
  await api.redis.config('SET', 'maxmemory', '0');
  expect(refused?.status).toBe(401);
  expect((await api.request('GET', `/v1/messenger-accounts/${accountId}`)).status).toBe(200);
});

it('makes no account while calls are refused', async () => {
  const workspaceId = await aWorkspace(await anOrganization());
  const { orders } = api.deps;
  api.deps.orders = new OrderGate({ check: () => new Problem('overloaded') }, () => undefined);
  const body = { name: 'Account', workspaceId };
  const refused = await api.request('POST', '/v1/messenger-accounts', body);
  api.deps.orders = orders;
  expect(refused).toMatchObject({ status: 503, body: { code: 'overloaded' } });
  expect(await accountsOf(workspaceId)).toEqual([]);
  expect((await api.request('POST', '/v1/messenger-accounts', body)).status).toBe(201);
});
