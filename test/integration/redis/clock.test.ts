import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import os from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { RedisClock } from '../../../src/redis/clock.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const AHEAD_S = 60;
const SOON_MS = 10_000;
// How often the clock asks anyway, but where a test is of that.
const LATE_MS = 60_000;

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
  await clock.start(LATE_MS);
});

afterEach(() => {
  vi.restoreAllMocks();
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

const isAhead = (seconds: number, by = clock) => Math.abs(by.now() - Date.now() - seconds * 1_000) < 500;

it('follows at once the clock of a server that it fails over to', async () => {
  expect(isAhead(0)).toBe(true);
  failOver(AHEAD_S);
  await eventually(() => isAhead(AHEAD_S), { timeoutMs: SOON_MS });
});

it('follows it even if its first answers are slow', async () => {
  delayMs = 100;
  failOver(0);
  await eventually(() => isAhead(0), { timeoutMs: SOON_MS });
  delayMs = 0;
});

/** Sets the clock of this machine ahead, or back. */
function setClock(seconds: number): void {
  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + seconds * 1_000);
}

/** Another one, which has asked just now. */
async function another(everyMs?: number): Promise<RedisClock> {
  aheadS = 0;
  const other = new RedisClock(redis);
  let askedAt: number;
  do {
    // It takes over the first time that it hears, however late the answer is read.
    other.stop();
    askedAt = performance.now();
    await other.start(everyMs);
  } while (performance.now() - askedAt > 100);
  onTestFinished(() => other.stop());
  return other;
}

describe('when the machine was suspended', () => {
  // Redis and the clock of the machine have gone on, the monotonic clock has not.
  const suspend = () => {
    const { uptime } = os;
    setClock(AHEAD_S);
    vi.spyOn(os, 'uptime').mockImplementation(() => uptime() + AHEAD_S);
    aheadS = AHEAD_S;
  };

  it('has gone on, before it can ask', async () => {
    const other = await another(LATE_MS);
    const before = other.now();
    suspend();
    // The machine tells its uptime in hundredths of a second.
    expect(other.now() - before).toBeGreaterThanOrEqual(AHEAD_S * 1_000 - 20);
  });

  it('has gone on as far if it asks before anyone asks it', async () => {
    const other = await another(LATE_MS);
    const before = other.now();
    suspend();
    other.stop();
    await other.start(LATE_MS);
    expect(other.now() - before).toBeLessThan(1.5 * AHEAD_S * 1_000);
  });
});

it.each([AHEAD_S, -AHEAD_S])(
  'goes on as before when the clock of the machine is set by %i s',
  async (seconds) => {
    const other = await another(LATE_MS);
    const realNow = Date.now;
    setClock(seconds);
    expect(Math.abs(other.now() - realNow())).toBeLessThan(500);
    // Once it has asked, too.
    await redis.time();
    expect(Math.abs(other.now() - realNow())).toBeLessThan(500);
  },
);

it('follows the clock of its server within seconds where that is set', async () => {
  const other = await another();
  aheadS = AHEAD_S;
  await eventually(() => isAhead(AHEAD_S, other), { timeoutMs: 4_000 });
});
