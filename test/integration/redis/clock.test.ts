import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RedisClock } from '../../../src/redis/clock.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const AHEAD_S = 60;
// Much sooner than the clock asks anyway.
const SOON_MS = 2_000;

let server: TestRedis;
/** The way to Redis: what it says of its time is that of a server whose clock is ahead. */
const way = createServer({ noDelay: true }, join);
let aheadS = 0;
let delayMs = 0;
const sockets = new Set<Socket>();
let redis: RedisConnection;
let clock: RedisClock;

function join(near: Socket): void {
  const far = connect({ host: '127.0.0.1', port: server.port, noDelay: true });
  near.pipe(far);
  far.on('data', (chunk) => {
    const text = chunk.toString('latin1');
    const told = text.replace(/\*2\r\n\$10\r\n(\d+)/, (_, s) => `*2\r\n$10\r\n${Number(s) + aheadS}`);
    setTimeout(() => near.write(Buffer.from(told, 'latin1')), delayMs);
  });
  sockets.add(near);
  for (const socket of [near, far]) socket.on('error', () => undefined);
  near.once('close', () => far.destroy());
}

beforeAll(async () => {
  server = await startTestRedis();
  way.listen(0, '127.0.0.1');
  await once(way, 'listening');
  const { port } = way.address() as AddressInfo;
  redis = openRedis(`redis://127.0.0.1:${port}`, 'worker', () => undefined);
  await untilReady(redis);
  clock = new RedisClock(redis);
  await clock.start();
});

afterAll(async () => {
  clock.stop();
  redis.disconnect();
  way.close();
  await server.stop();
});

function failOver(seconds: number): void {
  aheadS = seconds;
  for (const socket of sockets) socket.destroy();
  sockets.clear();
}

const isAhead = (seconds: number) => Math.abs(clock.now() - Date.now() - seconds * 1_000) < 500;

it('follows at once the clock of a server that it fails over to', async () => {
  expect(isAhead(0)).toBe(true);
  failOver(AHEAD_S);
  await eventually(() => isAhead(AHEAD_S), { timeoutMs: SOON_MS });
});

it('follows it even if its first answers are slow', async () => {
  delayMs = 100;
  failOver(0);
  await eventually(() => isAhead(0), { timeoutMs: SOON_MS });
});
