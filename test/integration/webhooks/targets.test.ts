import { afterAll, beforeAll, expect, test } from 'vitest';
import { patchRecord } from '../../../src/directory/records.ts';
import { lineKey } from '../../../src/webhooks/line-keys.ts';
import { TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';
import { NameServer } from '../../support/http/name-server.ts';

let api: TestApi;
let names: NameServer;
let workspaceId: string;

beforeAll(async () => {
  names = await NameServer.start();
  api = await TestApi.start({ WEBHOOK_DNS_SERVERS: names.address });
  workspaceId = (await api.aTenant()).workspaceId;
});
afterAll(async () => {
  await api.stop();
  names.stop();
});

// Whether a name exists that is not public must not show.
const NOT_PUBLIC =
  'The URL does not lead to the public Internet: its host has no address, one that is not public, or more than 64.';

const create = (url: string) => api.request('POST', '/v1/webhooks', { workspaceId, url });

test.each([
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://0.0.0.0/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://168.63.129.16/machine',
  'https://[::ffff:168.63.129.16]/machine',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://localhost/',
  'https://LOCALHOST:8443/',
  'https://%6c%6f%63%61%6c%68%6f%73%74/',
])('%s is no target', async (url) => {
  expect(await create(url)).toMatchObject({
    status: 400,
    body: {
      code: 'invalid_body',
      errors: [{ pointer: '/url', detail: NOT_PUBLIC }],
    },
  });
});

test('http: is refused and https: to a public address taken', async () => {
  expect((await create('http://8.8.8.8/')).body.errors).toEqual([
    {
      pointer: '/url',
      detail: expect.stringMatching(/^The URL has to be https:\. .*WEBHOOKS_ALLOW_PRIVATE=1/),
    },
  ]);
  expect((await create('https://8.8.8.8:0/')).body.errors).toEqual([
    { pointer: '/url', detail: 'The URL has port 0, which nothing can listen on.' },
  ]);
  expect(await create('https://8.8.8.8/hook?x=1')).toMatchObject({
    status: 201,
    body: { url: 'https://8.8.8.8/hook?x=1' },
  });
  const { id } = (await create('https://8.8.8.8/')).body;
  expect((await api.request('PATCH', `/v1/webhooks/${id}`, { url: 'https://10.1.2.3/' })).status).toBe(400);
});

test('a name that does not exist is no target, one that is not looked up in time is', async () => {
  expect((await create('https://missing.example/')).body).toMatchObject({
    code: 'invalid_body',
    errors: [{ pointer: '/url', detail: NOT_PUBLIC }],
  });
  const { id } = (await create('https://8.8.8.8/')).body;
  expect((await api.request('PATCH', `/v1/webhooks/${id}`, { url: 'https://missing.example/' })).status).toBe(
    400,
  );
  names.names.set('late.example', 'hangs');
  const startedAt = performance.now();
  expect((await create('https://late.example/')).status).toBe(201);
  // Timers count whole milliseconds.
  expect(performance.now() - startedAt).toBeGreaterThan(2_998);
});

test('a name with more addresses than are looked at is no target', async () => {
  const addresses = Array.from({ length: 65 }, (_, at) => `8.8.8.${at}`);
  names.names.set('many.example', addresses.join(' '));
  expect((await create('https://many.example/')).body).toMatchObject({
    code: 'invalid_body',
    errors: [{ pointer: '/url', detail: NOT_PUBLIC }],
  });
  names.names.set('some.example', addresses.slice(1).join(' '));
  expect((await create('https://some.example/')).status).toBe(201);
});

test('a webhook that is disabled while its change to enabled waits for a look-up begins without failures', async () => {
  const { id } = (await create('https://8.8.8.8/')).body;
  const state = lineKey({ id, workspaceId }, 'state');
  names.names.set('slow.example', 'hangs');
  const change = { url: 'https://slow.example/', status: 'enabled' };
  const changing = api.ok('PATCH', `/v1/webhooks/${id}`, change);
  await eventually(() => names.asked.includes('slow.example'));
  await api.redis.hset(state, { failures: 10, failingSince: 1, pausedUntil: 1 });
  await patchRecord(api.redis, 'webhooks', id, { status: 'disabled', disabledReason: 'failing' });
  expect(await changing).toMatchObject({ ...change, disabledReason: null });
  expect(await api.redis.hmget(state, 'failures', 'failingSince', 'pausedUntil')).toEqual([null, null, null]);
});
