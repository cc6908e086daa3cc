import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openRedis, untilReady } from '../../../src/redis/connections.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';
import { startTestSentinels } from '../../support/redis/redis-sentinel.ts';

const TLS_HANDSHAKE = 0x16;

// Longer than a sentinel is waited for.
const LATE_MS = 1_500;

async function startServer(options: Parameters<typeof startTestRedis>[0] = {}): Promise<TestRedis> {
  const server = await startTestRedis(options);
  onTestFinished(server.stop);
  return server;
}

it('asks the next sentinel if one is silent', async () => {
  const printed = vi.spyOn(console, 'error');
  const dir = await mkdtemp(join(tmpdir(), 'switchboard-test-sentinel-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const master = await startServer();
  const startSentinel = async (name: string) => {
    const configFile = join(dir, name);
    await writeFile(configFile, `sentinel monitor main 127.0.0.1 ${master.port} 1\n`);
    return startServer({ args: ['--sentinel'], configFile, port: await findFreePort() });
  };
  const [silent, other] = await Promise.all([startSentinel('silent'), startSentinel('other')]);
  process.kill(silent.pid, 'SIGSTOP');
  const hosts = [silent, other].map(({ port }) => `127.0.0.1:${port}`);
  const redis = openRedis(`redis+sentinel://${hosts}/main`, 'request', () => undefined);
  onTestFinished(() => redis.disconnect());
  await untilReady(redis);
  expect(await redis.ping()).toBe('PONG');
  // Where its answers come late, ioredis prints errors that nobody listens to.
  await sleep(LATE_MS);
  process.kill(silent.pid, 'SIGCONT');
  expect(await redis.ping()).toBe('PONG');
  expect(printed).not.toHaveBeenCalled();
});

it('goes on to the new master that it is told of while it asks a silent sentinel', async () => {
  const { sentinels, master, stop } = await startTestSentinels();
  onTestFinished(stop);
  const [silent, other] = sentinels as [TestRedis, TestRedis];
  // The only one that is named is waited for until the new master is chosen.
  const redis = openRedis(`redis+sentinel://127.0.0.1:${silent.port}/main`, 'state', () => undefined);
  onTestFinished(() => redis.disconnect());
  await untilReady(redis);
  const sentinel = new Redis(other.url);
  await sentinel.call('SENTINEL', 'FAILOVER', 'main').finally(() => sentinel.disconnect());
  process.kill(silent.pid, 'SIGSTOP');
  process.kill(master.pid, 'SIGKILL');
  expect(await redis.ping()).toBe('PONG');
});

it.each([
  ['redis', false],
  ['rediss', true],
])('speaks to the sentinels of %s:// with TLS: %s', async (scheme, isTls) => {
  let hear: (firstByte: number) => void;
  const heard = new Promise<number>((resolve) => {
    hear = resolve;
  });
  const sentinel = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      hear(data.readUInt8(0));
      socket.destroy();
    });
  });
  onTestFinished(() => void sentinel.close());
  await new Promise<void>((resolve) => sentinel.listen(0, '127.0.0.1', resolve));
  const { port } = sentinel.address() as AddressInfo;
  const address = `${scheme}+sentinel://127.0.0.1:${port}/main?sentinelPassword=secret`;
  const redis = openRedis(address, 'request', () => undefined);
  onTestFinished(() => redis.disconnect());
  expect((await heard) === TLS_HANDSHAKE).toBe(isTls);
});
