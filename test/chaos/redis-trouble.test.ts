import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../support/redis/redis.ts';
import { type Account, Service } from '../support/service/service.ts';

const CALL_TIMEOUT_MS = 20_000;
// At once, on a machine that may stand still meanwhile: long before the time of a call is over.
const AT_ONCE_MS = 10_000;

let service: Service;
let redis: Redis;
let other: TestRedis;
let account: Account;

beforeAll(async () => {
  // One server, always: each of these troubles is one server's.
  service = await Service.start({ cluster: false, env: { CALL_TIMEOUT_MS: String(CALL_TIMEOUT_MS) } });
  // The keys of a replica are there until its master has sent its own.
  other = await startTestRedis({ args: ['--repl-diskless-sync-delay', '60'] });
  redis = new Redis(service.redis.url);
  account = await service.anAccount((await service.aWorkspace()).id);
});

afterAll(async () => {
  redis.disconnect();
  await service.stop();
  await other.stop();
});

async function call(): Promise<{ code: string; ms: number }> {
  const at = performance.now();
  const peer = { _: 'inputPeerSelf' };
  const { status, body } = await service.call(account, 'messages.sendMessage', { peer, message: 'hello' });
  return { code: status === 200 ? 'ok' : body.code, ms: performance.now() - at };
}

async function callUntilOk(): Promise<void> {
  await eventually(async () => (await call()).code === 'ok', { everyMs: 100, timeoutMs: 30_000 });
}

function expectAllAlive(): void {
  for (const { child } of [...service.apis, ...service.workers]) {
    expect(child.exitCode).toBeNull();
    expect(child.signalCode).toBeNull();
  }
}

it('scripts that are gone are sent again', async () => {
  await callUntilOk();
  await redis.script('FLUSH', 'SYNC');
  expect((await call()).code).toBe('ok');
  expect((await service.request('GET', '/v1/workspaces')).status).toBe(200);
  expectAllAlive();
});

it('connections that are cut are made again', async () => {
  for (let round = 0; round < 5; round += 1) {
    const calls = Array.from({ length: 50 }, () => call());
    for (const type of ['normal', 'pubsub'])
      await redis.call('CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes');
    const codes = (await Promise.all(calls)).map(({ code }) => code);
    expect(codes.filter((code) => !['ok', 'unavailable', 'outcome_unknown'].includes(code))).toEqual([]);
    await callUntilOk();
  }
  expectAllAlive();
});

it('requests and calls that come while connections are made again wait for them', async () => {
  const lists = () => service.request('GET', '/v1/workspaces').then(({ status }) => status);
  for (let round = 0; round < 5; round += 1) {
    await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    const answers = await Promise.all(Array.from({ length: 50 }, () => Promise.all([lists(), call()])));
    expect(new Set(answers.map(([status, { code }]) => `${status} ${code}`))).toEqual(new Set(['200 ok']));
  }
  expectAllAlive();
});

it('a Redis that answers late makes calls late, and one that does not answer makes them fail within seconds', async () => {
  await redis.call('CLIENT', 'PAUSE', '700', 'ALL');
  expect((await call()).code).toBe('ok');
  await redis.call('CLIENT', 'PAUSE', '6000', 'ALL');
  const { status, body } = await service.request('GET', '/v1/workspaces');
  expect([status, body.code]).toEqual([503, 'unavailable']);
  const { code, ms } = await call();
  // One that was queued in time may still wait for its worker, whose connections were silent too, until its own time is over.
  expect(['unavailable', 'outcome_unknown', 'call_timeout', 'ok']).toContain(code);
  expect(ms).toBeLessThan(CALL_TIMEOUT_MS + AT_ONCE_MS);
  await callUntilOk();
  expectAllAlive();
});

it('a Redis whose memory is full takes no calls, says so at once, shows what it has, and takes them again', async () => {
  await callUntilOk();
  const waiting = Array.from({ length: 50 }, () => call());
  await redis.config('SET', 'maxmemory', '1');
  const refused = await Promise.all(Array.from({ length: 20 }, () => call()));
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['unavailable']));
  expect(Math.max(...refused.map(({ ms }) => ms))).toBeLessThan(AT_ONCE_MS);
  const { id } = account;
  expect((await service.request('GET', `/v1/messenger-accounts/${id}`)).status).toBe(200);
  expect((await service.request('PATCH', `/v1/messenger-accounts/${id}`, { name: 'x' })).status).toBe(503);
  await redis.config('SET', 'maxmemory', '0');
  const codes = (await Promise.all(waiting)).map(({ code }) => code);
  expect(codes.filter((code) => !['ok', 'unavailable', 'call_timeout'].includes(code))).toEqual([]);
  await callUntilOk();
  expectAllAlive();
});

it('a Redis that has become a replica takes no calls, says so at once, and takes them again once it is the master', async () => {
  await redis.call('REPLICAOF', '127.0.0.1', String(other.port));
  // The keys that let callers in are still there until the other server's data takes their place.
  const refused = await call();
  expect(refused.code).toBe('unavailable');
  expect(refused.ms).toBeLessThan(AT_ONCE_MS);
  await redis.call('REPLICAOF', 'NO', 'ONE');
  account = await eventually(
    async () => {
      const workspace = await service.aWorkspace().catch(() => null);
      return workspace && service.anAccount(workspace.id).catch(() => null);
    },
    { timeoutMs: 30_000 },
  );
  await callUntilOk();
  expectAllAlive();
});
