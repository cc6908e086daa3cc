import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { FRESH_MS } from '../../../src/directory/directory-watch.ts';
import { recordsKey } from '../../../src/directory/records.ts';
import { TaskGate } from '../../../src/task-gate.ts';
import { TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';
import { NameServer } from '../../support/http/name-server.ts';
import { RawConnection } from '../../support/http/raw-connection.ts';

const METHOD = 'account.updateStatus';
// What `src/api/routes/webhooks.ts` promises.
const WRITTEN_AT_ONCE = 4;
const BODY = '{"params":{"offline":true}}';

let api: TestApi;
let names: NameServer;
let workspaceId: string;
let callPath: string;
let accountId: string;
let key: { id: string; secret: string };
const opened: RawConnection[] = [];

beforeAll(async () => {
  names = await NameServer.start();
  api = await TestApi.start({ WEBHOOK_DNS_SERVERS: names.address });
});
beforeEach(async () => {
  const tenant = await api.aTenant();
  ({ workspaceId, accountId } = tenant);
  callPath = `/workspaces/${workspaceId}/messenger-accounts/${accountId}/call/${METHOD}`;
  key = await api.ok('POST', '/v1/api-keys', {
    name: 'Key',
    workspaceId,
    scopes: ['calls:write', 'webhooks:write'],
  });
});
afterEach(() => {
  for (const connection of opened.splice(0)) connection.close();
});
afterAll(async () => {
  await api.stop();
  names.stop();
});

/** Sends an async call without the end of its body; it is let in when this resolves. */
async function beginCall(): Promise<RawConnection> {
  const connection = await RawConnection.open(api.url);
  opened.push(connection);
  let said = '';
  connection.socket.on('data', (chunk) => {
    said += chunk;
  });
  const fields = [
    `POST ${callPath} HTTP/1.1`,
    'host: a',
    `authorization: Bearer ${key.secret}`,
    'prefer: respond-async',
    'expect: 100-continue',
    'content-type: application/json',
    `content-length: ${BODY.length}`,
  ];
  connection.send(`${fields.join('\r\n')}\r\n\r\n${BODY.slice(0, -1)}`);
  await eventually(() => said.includes('100 Continue'));
  // A later request of the same key has been let in, too.
  await api.ok('GET', `/v1/methods/${METHOD}`, undefined, { key: key.secret });
  return connection;
}

async function finishLate(connection: RawConnection): Promise<number | undefined> {
  await sleep(2 * FRESH_MS);
  const [answer] = await connection.send(BODY.slice(-1)).answers(1);
  return answer?.status;
}

it('takes a body that comes late', async () => {
  expect(await finishLate(await beginCall())).toBe(202);
});

it('refuses a request whose key was deleted before the end of its body came', async () => {
  const connection = await beginCall();
  await api.ok('DELETE', `/v1/api-keys/${key.id}`);
  expect(await finishLate(connection)).toBe(401);
});

it('refuses a call whose account was deleted before the end of its body came', async () => {
  const connection = await beginCall();
  await api.ok('DELETE', `/v1/messenger-accounts/${accountId}`);
  expect(await finishLate(connection)).toBe(404);
});

it('leaves a record as it is whose change has waited for a name server until its key was deleted', async () => {
  const url = 'https://8.8.8.8/';
  const { id } = await api.ok('POST', '/v1/webhooks', { workspaceId, url });
  const host = 'late.test';
  names.names.set(host, 'hangs');
  const moved = { url: `https://${host}/` };
  const changing = api.request('PATCH', `/v1/webhooks/${id}`, moved, { key: key.secret });
  // For both kinds of address; the next try is answered.
  await eventually(() => names.asked.filter((name) => name === host).length >= 2);
  await api.ok('DELETE', `/v1/api-keys/${key.id}`);
  names.names.set(host, '8.8.8.8');
  expect((await changing).status).toBe(401);
  expect((await api.ok('GET', `/v1/webhooks/${id}`)).url).toBe(url);
});

it('leaves the secret of a webhook whose new one has waited for its turn until its key was deleted', async () => {
  const { id } = await api.ok('POST', '/v1/webhooks', { workspaceId, url: 'https://8.8.8.8/' });
  let letGo = () => {};
  const hold = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const held = vi.spyOn(api.deps.webhooks, 'hurry').mockReturnValue(hold);
  const change = () => api.ok('PATCH', `/v1/webhooks/${id}`, { status: 'enabled' });
  const before = Array.from({ length: WRITTEN_AT_ONCE }, change);
  await eventually(() => held.mock.calls.length === WRITTEN_AT_ONCE);
  const waiting = vi.spyOn(TaskGate.prototype, 'run');
  const rotate = `/v1/webhooks/${id}/rotate-secret`;
  const rotated = api.request('POST', rotate, undefined, { key: key.secret });
  await eventually(() => waiting.mock.calls.some(([owner]) => owner.key === workspaceId));
  await api.ok('DELETE', `/v1/api-keys/${key.id}`);
  await sleep(2 * FRESH_MS);
  letGo();
  expect((await rotated).status).toBe(401);
  await Promise.all(before);
  const { secrets } = JSON.parse((await api.redis.hget(recordsKey('webhooks'), id)) as string);
  expect(secrets).toHaveLength(1);
  expect((await api.request('POST', rotate)).status).toBe(200);
});
