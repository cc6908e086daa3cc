import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { Control } from '../../../src/control/control.ts';
import { LIVE_SETTINGS } from '../../../src/control/settings.ts';
import { openLogger } from '../../../src/logger.ts';
import { TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';

let api: TestApi;
let tenant: Awaited<ReturnType<TestApi['aTenant']>>;

beforeAll(async () => {
  api = await TestApi.start({ ACCOUNTS_PER_WORKSPACE: '5' });
  tenant = await api.aTenant();
});
afterAll(() => api.stop());
const NONE = Object.fromEntries(Object.keys(LIVE_SETTINGS).map((name) => [name, null]));
afterEach(() => api.ok('PATCH', '/v1/settings', NONE));

const patch = (body: object, options = {}) => api.request('PATCH', '/v1/settings', body, options);

test('shows what is set and what holds, and null gives back what each process has', async () => {
  expect(await api.ok('GET', '/v1/settings')).toMatchObject({
    ...NONE,
    effective: { accountsPerWorkspace: 5 },
  });
  const headers = { 'content-type': 'application/merge-patch+json' };
  const set = await patch({ accountsPerWorkspace: 7, slowCallMs: 50 }, { headers });
  expect(set.body).toMatchObject({ accountsPerWorkspace: 7, slowCallMs: 50, logLevel: null });
  expect(set.body.effective).toMatchObject({ accountsPerWorkspace: 7, slowCallMs: 50, logLevel: 'silent' });
  const back = await patch({ accountsPerWorkspace: null });
  expect(back.body).toMatchObject({ accountsPerWorkspace: null, slowCallMs: 50 });
  expect(back.body.effective.accountsPerWorkspace).toBe(5);
  const [entry] = (await api.ok('GET', '/v1/audit?sort=-createdAt&action=set')).data;
  expect(entry).toMatchObject({ from: { accountsPerWorkspace: 7 }, to: { accountsPerWorkspace: null } });
});

test('limits act at once', async () => {
  const { workspaceId, organizationId } = tenant;
  const account = { name: 'Account', workspaceId, driver: 'sandbox' };
  await patch({ accountsPerWorkspace: 1 });
  expect((await api.request('POST', '/v1/messenger-accounts', account)).status).toBe(409);
  await patch({ accountsPerWorkspace: 3 });
  expect((await api.request('POST', '/v1/messenger-accounts', account)).status).toBe(201);
  const key = await api.aKey({ organizationId }, ['workspaces:read']);
  const read = async () => (await api.request('GET', '/v1/workspaces', undefined, { key })).status;
  expect(await read()).toBe(200);
  await patch({ keyRateLimit: { limit: 2, windowSeconds: 3_600 } });
  expect([await read(), await read(), await read()]).toEqual([200, 200, 429]);
  await patch({ keyRateLimit: null });
  expect(await read()).toBe(200);
});

test('the target of scaling, and the bounds of live reads and of connections act at once', async () => {
  const { workspaceId } = tenant;
  await patch({ scalingTargetWaitMs: 250, subscribersPerKey: 1 });
  // The report is made once a second.
  await eventually(async () => (await api.ok('GET', '/v1/scaling')).targetWaitMs === 250);
  const leaving = new AbortController();
  const follow = () =>
    fetch(`${api.url}/v1/workspaces/${workspaceId}/updates?offset=-1&live=sse`, {
      headers: { authorization: `Bearer ${api.rootKey}` },
      signal: leaving.signal,
    });
  expect((await follow()).status).toBe(200);
  expect((await follow()).status).toBe(429);
  await patch({ subscribersPerKey: 2 });
  expect((await follow()).status).toBe(200);
  leaving.abort();
  const [{ by, from, to }] = (await api.ok('GET', '/v1/audit?sort=-createdAt&action=set')).data;
  expect({ by, from, to }).toEqual({
    by: { id: null, name: 'root key' },
    from: { subscribersPerKey: 1 },
    to: { subscribersPerKey: 2 },
  });
  await patch({ connectionsMax: 5_000 });
  expect(api.app.server.maxConnections).toBe(5_000);
});

test('another process follows, its log level too, and has its own values back when all is lost, and says so', async () => {
  const config = readConfig({ LOG_LEVEL: 'warn', CALLS_IN_FLIGHT_MAX: '10' });
  const lines: string[] = [];
  const log = openLogger({ LOG_LEVEL: 'error' }, 'test', { write: (line) => void lines.push(line) });
  const other = new Control(api.redis, log, config);
  await other.start();
  const seen: string[] = [];
  other.live.follow(() => seen.push(config.LOG_LEVEL));
  await api.ok('PUT', '/v1/pauses/lane/slow', { mode: 'wait' });
  await patch({ logLevel: 'debug', callsInFlightMax: 20 });
  await eventually(() => config.LOG_LEVEL === 'debug' && config.CALLS_IN_FLIGHT_MAX === 20);
  expect([seen[0], seen.at(-1)]).toEqual(['warn', 'debug']);
  await api.redis.flushall();
  await eventually(() => config.LOG_LEVEL === 'warn' && config.CALLS_IN_FLIGHT_MAX === 10);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { pauses: ['lane slow'], settings: { logLevel: 'debug', callsInFlightMax: 20 } },
  ]);
  other.stop();
});

test('shows what a process has that was given less than may be set', async () => {
  const small = await TestApi.start({ CONNECTIONS_MAX: '20' });
  expect((await small.ok('GET', '/v1/settings')).effective.connectionsMax).toBe(20);
  await small.ok('PATCH', '/v1/settings', { slowCallMs: 70 });
  await small.stop();
});

test('has the bounds of the environment, leaves operators room for connections, and is for operators only', async () => {
  const wrong = [
    { callsInFlightMax: 0 },
    { callsInFlightMax: 1_000_001 },
    { connectionsMax: 3_999 },
    { admissionMaxWaitMs: 1.5 },
    { logLevel: 'loud' },
    { keyRateLimit: { limit: 0, windowSeconds: 1 } },
    { port: 80 },
  ];
  for (const body of wrong) expect([body, (await patch(body)).status]).toEqual([body, 400]);
  const { organizationId } = await api.aTenant();
  const key = await api.aKey({ organizationId }, ['metrics:read', 'workspaces:write']);
  expect((await patch({ logLevel: 'info' }, { key })).status).toBe(403);
  const operator = await api.aKey({ organizationId }, ['operate']);
  expect((await patch({ logLevel: 'silent' }, { key: operator })).status).toBe(200);
});
