import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { LARGE_BODY_BYTES, largeBodies } from '../../../src/api/server/paced-tasks.ts';
import { TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';
import { RawConnection } from '../../support/http/raw-connection.ts';
import { isCollected } from '../../support/is-collected.ts';

let api: TestApi;
let path: string;
let body: string;
let submitted = 0;

beforeAll(async () => {
  api = await TestApi.start();
  const { workspaceId, accountId } = await api.aTenant();
  api.deps.calls.submit = async () => {
    submitted += 1;
    return { status: 200, offset: null, headers: {}, body: '{"result":{"_":"help.support"},"txid":1}' };
  };
  path = `/workspaces/${workspaceId}/calls`;
  const calls = Array.from({ length: 100 }, () => ({ accountId, method: 'help.getSupport', params: {} }));
  body = JSON.stringify({ calls }).padEnd(LARGE_BODY_BYTES + 1);
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => api.stop());

test('no more of a large bulk is checked once its caller is gone', async () => {
  let socket: Socket | undefined;
  api.app.server.once('connection', (opened) => {
    socket = opened;
  });
  const caller = await RawConnection.open(api.url);
  const turns = vi.spyOn(largeBodies, 'next').mockImplementationOnce(async () => {
    caller.close();
    await eventually(() => socket?.destroyed === true);
  });
  const lines = ['host: x', `authorization: Bearer ${api.rootKey}`, 'content-type: application/json'];
  const head = [`POST ${path} HTTP/1.1`, ...lines, `content-length: ${body.length}`];
  caller.send(`${head.join('\r\n')}\r\n\r\n${body}`);
  await eventually(() => turns.mock.settledResults[0]?.type === 'fulfilled');
  // A bulk behind it is whole.
  expect((await api.request('POST', path, body)).status).toBe(200);
  expect(submitted).toBe(8 + 100);
});

test('large bulks count as bodies until their calls are checked, however they end', async () => {
  const waiting: (() => void)[] = [];
  vi.spyOn(largeBodies, 'next').mockImplementation(() => new Promise((resolve) => waiting.push(resolve)));
  const whole = body.padEnd(1024 * 1024);
  const sent = Array.from({ length: 33 }, () => api.request('POST', path, whole));
  expect(await Promise.race(sent)).toMatchObject({ status: 503, body: { code: 'overloaded' } });
  vi.restoreAllMocks();
  for (const go of waiting) go();
  const statuses = (await Promise.all(sent)).map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(32).fill(200), 503]);
  const wrong = '{"calls":[]}'.padEnd(1024 * 1024);
  for (let n = 0; n < 33; n += 1) expect((await api.request('POST', path, wrong)).status).toBe(400);
});

test('and so do those whose calls wait for their turn behind a look-up of their accounts', async () => {
  const waiting: (() => void)[] = [];
  vi.spyOn(api.deps.directory.accounts, 'peek').mockReturnValue(undefined);
  vi.spyOn(largeBodies, 'next').mockImplementation(() => new Promise((resolve) => waiting.push(resolve)));
  const { calls } = JSON.parse(body);
  const whole = JSON.stringify({ calls: calls.slice(0, 2) }).padEnd(1024 * 1024);
  const sent = Array.from({ length: 32 }, () => api.request('POST', path, whole));
  await eventually(() => waiting.length === 64);
  const refused = await Promise.race([
    api.request('POST', path, whole),
    eventually(() => waiting.length > 64),
  ]);
  vi.restoreAllMocks();
  for (const go of waiting) go();
  expect(refused).toMatchObject({ status: 503, body: { code: 'overloaded' } });
  for (const { status } of await Promise.all(sent)) expect(status).toBe(200);
  expect((await api.request('POST', path, whole)).status).toBe(200);
});

test('keeps no body of bulks in which only one small call still runs', async () => {
  const BULKS = 20;
  const MiB = 1024 * 1024;
  const heldBytes = async () => {
    await isCollected(new WeakRef({}));
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const { workspaceId, accountId } = await api.aTenant();
  let running = 0;
  // A spy would keep what it was called with.
  api.deps.calls.submit = ({ method }) => {
    if (method === 'messages.sendMessage')
      return Promise.resolve({ status: 200, offset: null, headers: {}, body: '{}' });
    running += 1;
    return new Promise(() => {});
  };
  const text = { peer: { _: 'inputPeerSelf' }, message: 'x'.repeat(9_000) };
  const calls: object[] = Array(99).fill({ accountId, method: 'messages.sendMessage', params: text });
  const large = JSON.stringify({ calls: [...calls, { accountId, method: 'help.getSupport', params: {} }] });
  const lines = ['host: x', `authorization: Bearer ${api.rootKey}`, 'content-type: application/json'];
  const head = [
    `POST /workspaces/${workspaceId}/calls HTTP/1.1`,
    ...lines,
    `content-length: ${large.length}`,
  ];
  const before = await heldBytes();
  const callers = await Promise.all(Array.from({ length: BULKS }, () => RawConnection.open(api.url)));
  for (const caller of callers) caller.send(`${head.join('\r\n')}\r\n\r\n${large}`);
  await eventually(() => running === BULKS);
  const isLittle = async () => (await heldBytes()) - before < (BULKS / 4) * MiB;
  const wasLetGo = await eventually(isLittle).catch(() => false);
  for (const caller of callers) caller.close();
  expect(wasLetGo).toBe(true);
});
