import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { exchange } from '../../support/http/raw-connection.ts';
import { serversOf } from '../../support/redis/redis-cluster.ts';
import { type Account, Service } from '../../support/service/service.ts';

const CANARY = 'canary7f3a';
const SECRET = `${CANARY}-secret-of-the-gateway`;

let service: Service;
let ada: Account;
let bob: Account;

beforeAll(async () => {
  service = await Service.start({
    env: { LOG_LEVEL: 'trace', SWITCHBOARD_SECRET: SECRET, SLOW_CALL_MS: '1' },
  });
  const { id } = await service.aWorkspace();
  [ada, bob] = [await service.anAccount(id), await service.anAccount(id)];
});
afterAll(() => service.stop());

test('logs at the finest level hold no key, no secret, and nothing of params, results and bodies', async () => {
  const place = { workspaceId: ada.workspaceId };
  const made = { name: `${CANARY} key`, scopes: ['calls:write', 'updates:read'], ...place };
  const { secret } = await service.ok('POST', '/v1/api-keys', made);
  const peer = { _: 'inputPeerUser', userId: bob.userId, accessHash: '0' };
  const said = { peer, message: `${CANARY} said` };
  const headers = { 'idempotency-key': `${CANARY}-key` };

  // What succeeds, fails at the messenger, is refused, is replayed and is no HTTP.
  expect((await service.call(ada, 'messages.sendMessage', said, { key: secret, headers })).status).toBe(200);
  expect((await service.call(ada, 'messages.sendMessage', said, { key: secret, headers })).status).toBe(200);
  const another = { ...said, message: `${CANARY} else` };
  expect((await service.call(ada, 'messages.sendMessage', another, { key: secret, headers })).status).toBe(
    422,
  );
  const history = await service.call(bob, 'messages.getHistory', {
    peer: { _: 'inputPeerUser', userId: ada.userId, accessHash: '0' },
    offsetId: 0,
    offsetDate: 0,
    addOffset: 0,
    limit: 10,
    maxId: 0,
    minId: 0,
    hash: '0',
  });
  expect(JSON.stringify(history.body)).toContain(CANARY);
  const nobody = { ...said, peer: { _: 'inputPeerUser', userId: 1, accessHash: '0' } };
  expect((await service.call(ada, 'messages.sendMessage', nobody)).status).toBeGreaterThanOrEqual(400);
  expect((await service.call(ada, 'messages.sendMessage', { [CANARY]: CANARY })).status).toBe(400);
  expect(
    (await service.call(ada, 'contacts.resolveUsername', { username: CANARY })).status,
  ).toBeGreaterThanOrEqual(400);
  const path = `/workspaces/${ada.workspaceId}/messenger-accounts/${ada.id}/call`;
  expect((await service.request('POST', `${path}/messages.sendMessage`, `{"params":${CANARY}`)).status).toBe(
    400,
  );
  expect((await service.request('POST', `${path}/${CANARY}`, {})).status).toBe(404);
  expect((await service.request('GET', `/v1/workspaces?${CANARY}=${CANARY}`)).status).toBe(400);
  expect((await service.request('GET', '/v1/workspaces', undefined, { key: `${CANARY}key` })).status).toBe(
    401,
  );
  await exchange(service.url, `GET / HTTP/1.1\r\n${CANARY} ${CANARY}\r\n\r\n`);
  await service.updates(ada.workspaceId);
  const faults = [{ method: 'messages.sendMessage', error: 'FLOOD_WAIT_5' }];
  await service.ok('PUT', `/v1/messenger-accounts/${ada.id}/sandbox/faults`, { faults });
  expect((await service.call(ada, 'messages.sendMessage', said)).status).toBe(429);

  // What goes wrong inside is told in full, but not of the callers.
  for (const { pid } of serversOf(service.redis)) process.kill(pid, 'SIGSTOP');
  const lost = service.call(ada, 'messages.sendMessage', said);
  expect((await service.request('GET', '/v1/workspaces')).status).toBe(503);
  for (const { pid } of serversOf(service.redis)) process.kill(pid, 'SIGCONT');
  await lost;

  const processes = [...service.apis, ...service.workers];
  const lines = () =>
    processes.flatMap(({ logs, stderr }) => [...logs, ...stderr]).map((line) => JSON.stringify(line));
  await eventually(() => lines().filter((line) => line.includes('messages.sendMessage')).length >= 4);
  for (const told of [CANARY, service.rootKey, secret, secret.slice(3, 20)]) {
    expect([told, lines().filter((line) => line.includes(told))]).toEqual([told, []]);
  }
});
