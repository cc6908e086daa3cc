import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { generateApiKey, hashSecret } from '../../../src/directory/key-format.ts';
import { API_KEY_INDEX, recordsKey } from '../../../src/directory/records.ts';
import { newId } from '../../../src/ids.ts';
import { TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';
import { RawConnection } from '../../support/http/raw-connection.ts';

let api: TestApi;

beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

function requestText(key: string): string {
  return `GET /v1/nothing HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n\r\n`;
}

async function commandsOf(act: () => Promise<unknown>): Promise<number> {
  const count = async () =>
    Number(/total_commands_processed:(\d+)/.exec(await api.redis.info('stats'))?.[1] ?? 0);
  const before = await count();
  await act();
  return (await count()) - before;
}

it('asks Redis for no key that is not well-formed, and once for one that is not there', async () => {
  const key = generateApiKey();
  const malformed = [
    `${key}x`,
    key.slice(0, -1),
    `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
    'x'.repeat(15_000),
  ];
  const ask = async (keys: string[]) => {
    const connection = await RawConnection.open(api.url);
    connection.send(keys.map(requestText).join(''));
    const answers = await connection.answers(keys.length);
    connection.close();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  };
  const many = Array.from({ length: 500 }, (_, place) => malformed[place % 3] as string);
  expect(await commandsOf(() => ask([...many, malformed[3] as string]))).toBeLessThan(100);
  expect(await commandsOf(() => ask(Array.from({ length: 500 }, () => key)))).toBeLessThan(100);
});

it('looks up few unknown keys at once, refuses those beyond, and serves a key that is known meanwhile', async () => {
  const { workspaceId } = await api.aTenant();
  const known = await api.aKey({ workspaceId }, ['workspaces:read']);
  const path = `/v1/workspaces/${workspaceId}`;
  expect((await api.request('GET', path, undefined, { key: known })).status).toBe(200);
  const connections = await Promise.all(Array.from({ length: 80 }, () => RawConnection.open(api.url)));
  const requests = connections.map(() =>
    Array.from({ length: 16 }, () => requestText(generateApiKey())).join(''),
  );
  const responses: ServerResponse[] = [];
  const note = (_request: unknown, response: ServerResponse) => responses.push(response);
  api.app.server.on('request', note);
  // Redis answers nothing until some were refused, so that look-ups do not end.
  process.kill(api.server.pid, 'SIGSTOP');
  onTestFinished(() => {
    process.kill(api.server.pid, 'SIGCONT');
    api.app.server.off('request', note);
  });
  for (const [at, connection] of connections.entries()) connection.send(requests[at] as string);
  await eventually(() => responses.filter(({ statusCode }) => statusCode === 429).length > 100);
  process.kill(api.server.pid, 'SIGCONT');
  const answers = (await Promise.all(connections.map((connection) => connection.answers(16)))).flat();
  for (const connection of connections) connection.close();
  const statuses = answers.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(100);
  const refused = answers.find(({ status }) => status === 429);
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
  expect((await api.request('GET', path, undefined, { key: known })).status).toBe(200);
});

it('knows a key that was found, however many keys of another organization are', async () => {
  const KEYS = 10_000;
  const { workspaceId, organizationId } = await api.aTenant();
  const key = await api.aKey({ workspaceId }, ['workspaces:read']);
  const path = `/v1/workspaces/${workspaceId}`;
  expect((await api.request('GET', path, undefined, { key })).status).toBe(200);
  const other = await api.aTenant();
  const { secret: _, ...sample } = await api.ok('POST', '/v1/api-keys', {
    ...{ name: 'Key', scopes: ['workspaces:read'], workspaceId: other.workspaceId },
  });
  const secrets = Array.from({ length: KEYS }, generateApiKey);
  const pipeline = api.redis.pipeline();
  for (const secret of secrets) {
    const record = { ...sample, id: newId('apiKey'), makers: [], hash: hashSecret(secret) };
    pipeline.hset(recordsKey('api-keys'), record.id, JSON.stringify(record));
    pipeline.hset(API_KEY_INDEX, record.hash, record.id);
  }
  await pipeline.exec();
  const { apiKeys } = api.deps.directory;
  for (let at = 0; at < KEYS; at += 500) {
    const some = secrets.slice(at, at + 500).map((secret) => apiKeys.authenticate(`Bearer ${secret}`));
    expect((await Promise.all(some)).every((found) => found !== null)).toBe(true);
  }
  expect(apiKeys.tenantOf(`Bearer ${secrets.at(-1)}`)).toBe(other.organizationId);
  expect(apiKeys.tenantOf(`Bearer ${key}`)).toBe(organizationId);
});

it('knows a key no more once it is deleted or has expired', async () => {
  const { workspaceId, organizationId } = await api.aTenant();
  const { apiKeys } = api.deps.directory;
  const path = `/v1/workspaces/${workspaceId}`;
  const aKey = async (members: object = {}) => {
    const wanted = { name: 'Key', workspaceId, scopes: ['workspaces:read'], ...members };
    const key = await api.ok('POST', '/v1/api-keys', wanted);
    expect((await api.request('GET', path, undefined, { key: key.secret })).status).toBe(200);
    expect(apiKeys.tenantOf(`Bearer ${key.secret}`)).toBe(organizationId);
    return key;
  };
  const deleted = await aKey();
  await api.ok('DELETE', `/v1/api-keys/${deleted.id}`);
  expect((await api.request('GET', path, undefined, { key: deleted.secret })).status).toBe(401);
  expect(apiKeys.tenantOf(`Bearer ${deleted.secret}`)).toBe('unknown');
  const expiring = await aKey({ expiresAt: new Date(Date.now() + 2_000).toISOString() });
  await eventually(() => apiKeys.tenantOf(`Bearer ${expiring.secret}`) === 'unknown', { timeoutMs: 5_000 });
  expect((await api.request('GET', path, undefined, { key: expiring.secret })).status).toBe(401);
});
