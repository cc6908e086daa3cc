import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { checkRedis, startWithRedis } from '../../../src/redis/check-redis.ts';
import { openRedis, untilReady } from '../../../src/redis/connections.ts';
import { StartError } from '../../../src/run-process.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';
import { Link } from '../../torture/rig/link.ts';

const servers: TestRedis[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function start(...args: string[]): Promise<TestRedis> {
  const server = await startTestRedis({ args });
  servers.push(server);
  return server;
}

/** What is warned of; rejects as the check does. */
async function check(address: string): Promise<string[]> {
  const redis = openRedis(address, 'request', () => undefined);
  const warnings: string[] = [];
  await checkRedis(redis, address, (message) => warnings.push(message)).finally(() => redis.disconnect());
  return warnings;
}

it('takes a Redis that keeps what it is given, without a word', async () => {
  const { url } = await start('--appendonly', 'yes');
  expect(await check(url)).toEqual([]);
  const other = await start('--save', '60 1');
  expect(await check(other.url)).toEqual([]);
});

it('warns of one that keeps nothing on disk', async () => {
  const { url } = await start();
  expect(await check(url)).toEqual([expect.stringContaining('keeps nothing on disk')]);
});

it.each(['allkeys-lru', 'volatile-ttl'])(
  'refuses one that drops data when it is full (%s)',
  async (policy) => {
    const { url } = await start('--maxmemory-policy', policy);
    await expect(check(url)).rejects.toThrow(StartError);
    await expect(check(url)).rejects.toThrow(`maxmemory-policy ${policy}); Switchboard needs noeviction.`);
  },
);

it('waits for a replica to become a master, and refuses one that does not', async () => {
  const master = await start('--appendonly', 'yes');
  const replica = await start('--appendonly', 'yes', '--replicaof', '127.0.0.1', String(master.port));
  const checked = check(replica.url);
  const promoting = openRedis(replica.url, 'worker', () => undefined);
  setTimeout(() => void promoting.call('REPLICAOF', 'NO', 'ONE'), 1_000);
  expect(await checked).toEqual([]);
  await promoting.call('REPLICAOF', '127.0.0.1', String(master.port));
  promoting.disconnect();
  await expect(check(replica.url)).rejects.toThrow(/is a replica, which takes no writes; .* its master\.$/);
});

it('says where nobody answers, without the password', async () => {
  await expect(check('redis://:geheim@127.0.0.1:1')).rejects.toThrow(
    /^Redis at redis:\/\/127\.0\.0\.1:1 cannot be reached: connect ECONNREFUSED.*; start it, or correct REDIS_URL\.$/,
  );
  await expect(check('redis+cluster://:geheim@127.0.0.1:1,127.0.0.1:2')).rejects.toThrow(
    /^Redis at redis\+cluster:\/\/127\.0\.0\.1:1,127\.0\.0\.1:2 cannot be reached: (?!.*geheim)/,
  );
});

it('says which right a user of Redis lacks', async () => {
  const { url } = await start();
  const operator = openRedis(url, 'worker', () => undefined);
  const address = url.replace('redis://', 'redis://service:secret@');
  const grant = (...rules: string[]) =>
    operator.call('ACL', 'SETUSER', 'service', 'reset', 'on', '>secret', ...rules);
  await grant('~*', '&*', '+@all', '-@dangerous');
  await expect(check(address)).rejects.toThrow(StartError);
  await expect(check(address)).rejects.toThrow(
    /^Redis at redis:\/\/127\.0\.0\.1:\d+ does not let its user do what Switchboard needs: NOPERM .*'info'/,
  );
  await grant('~other:*', '&*', '+@all');
  const redis = openRedis(address, 'worker', () => undefined);
  for (const start of [
    () => redis.set('sb:x', ''),
    () => redis.eval("return redis.call('SET', 'sb:x', '')", 0),
  ])
    await expect(startWithRedis(start)).rejects.toThrow(
      /^Redis does not let its user do what Switchboard needs: /,
    );
  for (const connection of [redis, operator]) connection.disconnect();
});

it('says that a Redis closes every connection, after it has waited for one that is about to take some', async () => {
  // As one that expects TLS, or is in protected mode.
  const closing = createServer((socket) => socket.on('error', () => undefined).end()).listen(0);
  await once(closing, 'listening');
  vi.useFakeTimers({ toFake: ['performance'] });
  const began = Date.now();
  const checked = check(`redis://127.0.0.1:${(closing.address() as AddressInfo).port}`);
  const isOver = vi.fn();
  checked.catch(isOver);
  await sleep(1_000);
  expect(isOver).not.toHaveBeenCalled();
  vi.advanceTimersByTime(10_000);
  await expect(checked).rejects.toThrow(/cannot be reached: Connection is closed at once, .*TLS/);
  expect(Date.now() - began).toBeLessThan(8_000);
  vi.useRealTimers();
  closing.close();
});

it('makes one sentence of a connection that is cut while something starts, and hides no other error', async () => {
  const link = await Link.open((await start()).port);
  const redis = openRedis(`redis://127.0.0.1:${link.port}`, 'request', () => undefined);
  await untilReady(redis);
  link.lose('answers');
  const starting = startWithRedis(async () => {
    const failed = new Promise((_resolve, reject) => redis.once('error', reject));
    link.cut();
    await failed;
  });
  await expect(starting).rejects.toThrow(StartError);
  await expect(starting).rejects.toThrow(/^Redis was lost during the start: .+\.$/);
  await expect(startWithRedis(() => Promise.reject(new TypeError('x')))).rejects.toThrow(TypeError);
  redis.disconnect();
  await link.close();
});
