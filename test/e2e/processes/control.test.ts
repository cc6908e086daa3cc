import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkerReport } from '../../../src/fleet/scaling-report.ts';
import { eventually } from '../../support/eventually.ts';
import { callAsync, endOf } from '../../support/service/async-calls.ts';
import { type Account, type ApiProcess, Service } from '../../support/service/service.ts';

const METHOD = 'messages.sendMessage';
const PARAMS = { peer: { _: 'inputPeerSelf' }, message: 'Hello' };

let service: Service;
let account: Account;
let neighbour: Account;
let other: Account;

beforeAll(async () => {
  service = await Service.start({ apis: 2, workers: 2, env: { CALL_TIMEOUT_MS: '60000' } });
  const { id } = await service.aWorkspace();
  account = await service.anAccount(id);
  neighbour = await service.anAccount(id);
  other = await service.anAccount((await service.aWorkspace()).id);
});
afterAll(() => service.stop());

const urls = () => service.apis.map(({ url }: ApiProcess) => url);
const call = (of: Account, url = service.url) => service.call(of, METHOD, PARAMS, { url });

const heldAt = async (url: string) =>
  Number(
    /^switchboard_calls_held (\d+)$/m.exec(
      (await service.request('GET', '/metrics', undefined, { url })).body,
    )?.[1],
  );

/** The id of an async call that was accepted. */
const callLater = async (of: Account, method = METHOD, params: object = PARAMS): Promise<string> => {
  const { status, body } = await callAsync(service, of, method, params);
  expect(status).toBe(202);
  return body.id;
};

/** Until every process follows, which it does within a second unless the machine is busy. */
const known = () => new Promise((resolve) => setTimeout(resolve, 3_000));

const statusOf = async (id: string) => (await service.ok('GET', `/v1/calls/${id}`)).status;

test('calls at two API processes wait over a pause and are answered after it, while another workspace goes on', async () => {
  const path = `/v1/pauses/workspace/${account.workspaceId}`;
  await service.ok('PUT', path, { mode: 'wait' });
  await known();
  const waiting = Array.from({ length: 40 }, (_, i) => call(account, urls()[i % 2]));
  const held = () => Promise.all(urls().map(heldAt));
  await eventually(async () => (await held()).join() === '20,20');
  for (const url of urls()) expect((await call(other, url)).status).toBe(200);
  expect(await held()).toEqual([20, 20]);
  await service.ok('DELETE', path);
  const answers = await Promise.all(waiting);
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
  expect(new Set(answers.map(({ body }) => body.txid)).size).toBe(40);
});

// The machine may be late once.
const IN_TIME = { retry: { count: 3, condition: /ms to follow/ } };

test('both API processes follow a pause within a second', IN_TIME, async () => {
  const path = `/v1/pauses/workspace/${account.workspaceId}`;
  await service.ok('PUT', path, { mode: 'refuse' });
  const pausedAt = performance.now();
  try {
    for (const url of urls()) await eventually(async () => (await call(account, url)).status !== 200);
    expect(performance.now() - pausedAt, 'ms to follow').toBeLessThan(1_000);
  } finally {
    await service.ok('DELETE', path);
  }
  for (const url of urls()) await eventually(async () => (await call(account, url)).status === 200);
});

test('async calls wait over a pause in their backlog and run after it, those of another account meanwhile', async () => {
  const path = `/v1/pauses/account/${account.id}`;
  await service.ok('PUT', path, { mode: 'wait' });
  await known();
  const ids = await Promise.all(Array.from({ length: 40 }, () => callLater(account)));
  const free = await callLater(neighbour);
  expect((await endOf(service, free)).status).toBe('succeeded');
  expect(await Promise.all(ids.map(statusOf))).toEqual(Array(40).fill('queued'));
  await service.ok('DELETE', path);
  const ends = await Promise.all(ids.map((id) => endOf(service, id)));
  expect(ends.map(({ status, attempts }) => [status, attempts])).toEqual(Array(40).fill(['succeeded', 1]));
});

test('a call that ran before a pause is answered as it was when it is repeated with its key, and others are refused', async () => {
  const repeat = (key: string, prefer = '') =>
    service.call(other, METHOD, PARAMS, { headers: { 'idempotency-key': key, prefer } });
  const first = await repeat('sync');
  const later = await repeat('async', 'respond-async');
  expect([first.status, later.status]).toEqual([200, 202]);
  const path = `/v1/pauses/workspace/${other.workspaceId}`;
  for (const mode of ['refuse', 'wait']) {
    await service.ok('PUT', path, { mode });
    await known();
    expect(await repeat('sync')).toMatchObject({ status: 200, body: first.body });
    expect((await repeat('async', 'respond-async')).body.id).toBe(later.body.id);
    if (mode === 'refuse')
      for (const prefer of ['', 'respond-async'])
        expect((await repeat(`new-${prefer}`, prefer)).body.code).toBe('paused');
  }
  await service.ok('DELETE', path);
});

test.each([
  ['method', METHOD],
  ['lane', 'async'],
])('async calls wait while a %s is paused', async (kind, id) => {
  await service.ok('PUT', `/v1/pauses/${kind}/${id}`, { mode: 'wait' });
  await known();
  const held = await callLater(account);
  const free = kind === 'lane' ? null : await callLater(account, 'help.getSupport', {});
  if (free !== null) expect((await endOf(service, free)).status).toBe('succeeded');
  await known();
  expect(await statusOf(held)).toBe('queued');
  await service.ok('DELETE', `/v1/pauses/${kind}/${id}`);
  expect((await endOf(service, held)).status).toBe('succeeded');
});

test('a worker that is drained finishes what it runs though it is told to stop, ends with 0, and no call is lost', async () => {
  const faults = [{ method: METHOD, delayMs: 8_000, count: 1_000 }];
  await service.ok('PUT', `/v1/messenger-accounts/${account.id}/sandbox/faults`, { faults });
  await known();
  const slow = Array.from({ length: 6 }, () => call(account));
  const workers = () => service.ok('GET', '/v1/workers').then(({ data }) => data);
  const drained = await eventually(async () => {
    const found = (await workers()).find(({ slowRunning }: { slowRunning: number }) => slowRunning > 0);
    return found ?? false;
  });
  const { child } = service.workers.find(
    ({ child }) => child.pid === drained.pid,
  ) as (typeof service.workers)[0];
  const exit = once(child, 'exit');
  const answer = await service.request('POST', `/v1/workers/${drained.id}/drain`);
  expect(answer).toMatchObject({ status: 202, body: { id: drained.id, state: 'draining' } });
  await eventually(
    async () =>
      child.exitCode !== null ||
      (await workers()).some(({ id, state }: WorkerReport) => id === drained.id && state === 'draining'),
  );
  // As its supervisor does that stops meanwhile.
  child.kill('SIGTERM');
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(Array(6).fill(200));
  expect(await exit).toEqual([0, null]);
  await eventually(async () => !(await workers()).some(({ id }: { id: string }) => id === drained.id));
  expect((await call(other)).status).toBe(200);
});
