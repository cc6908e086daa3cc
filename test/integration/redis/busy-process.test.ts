import { setTimeout as sleep } from 'node:timers/promises';
import { Command, Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { isRedisUnavailable } from '../../../src/redis/failure.ts';
import { untilReconnected } from '../../../src/redis/until-reconnected.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
let direct: Redis;
let redis: RedisConnection;

beforeAll(async () => {
  server = await startTestRedis();
  direct = new Redis(server.url);
});
beforeEach(async () => {
  redis = openRedis(server.url, 'request', () => undefined);
  await untilReady(redis);
});
afterEach(() => redis.disconnect());
afterAll(async () => {
  direct.disconnect();
  await server.stop();
});

/** Keeps the event loop from going on, and the processor free for other tests. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

const cut = () => direct.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');

describe('a process that stands still', () => {
  it('reads the answers that came meanwhile, however long ago', async () => {
    await direct.set('key', 'value');
    await direct.client('PAUSE', 200, 'ALL');
    const answers = Promise.all([redis.get('key'), redis.multi().get('key').exec(), redis.incr('count')]);
    await sleep(50);
    standStill(6_500);
    expect(await answers).toEqual(['value', [[null, 'value']], 1]);
    // What was sent was sent once, on the connection there was.
    expect(await redis.get('count')).toBe('1');
    expect(redis.status).toBe('ready');
  });
});

describe('a Redis that is silent', () => {
  it('fails a command after two seconds', async () => {
    process.kill(server.pid, 'SIGSTOP');
    const began = performance.now();
    await expect(redis.get('key')).rejects.toThrow('Command timed out');
    expect(performance.now() - began).toBeGreaterThan(1_500);
    process.kill(server.pid, 'SIGCONT');
    expect(await untilReconnected(redis)).toBe(true);
  });
});

describe('a connection that is cut', () => {
  it('is waited for', async () => {
    await cut();
    while (redis.status === 'ready') await sleep(1);
    expect(await untilReconnected(redis)).toBe(true);
    expect(await redis.ping()).toBe('PONG');
  });

  it('holds what comes before its loss is noticed, and then sends it once and in order', async () => {
    const { stream } = redis as Redis;
    stream.destroy();
    expect([redis.status, stream.writable]).toEqual(['ready', false]);
    const answers = [redis.incr('held'), redis.pipeline().incr('held').get('held').exec()];
    while (redis.status === 'ready') await sleep(1);
    answers.push(redis.multi().incr('held').get('held').exec());
    expect(await Promise.all(answers)).toEqual([
      1,
      [
        [null, 2],
        [null, '2'],
      ],
      [
        [null, 3],
        [null, '3'],
      ],
    ]);
  });

  it('does not send what has failed while it was held', async () => {
    (redis as Redis).stream.destroy();
    const command = new Command('incr', ['failed']);
    const answer = redis.sendCommand(command);
    command.reject(new Error('Command timed out'));
    await expect(answer).rejects.toThrow('Command timed out');
    while (redis.status === 'ready') await sleep(1);
    expect(await untilReconnected(redis)).toBe(true);
    expect(await redis.get('failed')).toBeNull();
  });

  it('holds nothing for longer than it is waited for, and never sends that', async () => {
    const other = await startTestRedis();
    const away = openRedis(other.url, 'request', () => undefined);
    await untilReady(away);
    await other.stop();
    while (away.status === 'ready') await sleep(1);
    const held = away.incr('late').catch((error) => error);
    expect(await untilReconnected(away)).toBe(false);
    expect(isRedisUnavailable(await held)).toBe(true);
    const refused = away.incr('late').catch((error) => error);
    const soon = new Promise((resolve) => setImmediate(resolve));
    expect(isRedisUnavailable(await Promise.race([refused, soon]))).toBe(true);
    const again = await startTestRedis({ port: other.port });
    await eventually(() => away.status === 'ready', { timeoutMs: 30_000 });
    expect(await away.get('late')).toBeNull();
    away.disconnect();
    await again.stop();
  });

  it('is waited for two seconds only', async () => {
    const other = await startTestRedis();
    const away = openRedis(other.url, 'request', () => undefined);
    await untilReady(away);
    await other.stop();
    while (away.status === 'ready') await sleep(1);
    const began = performance.now();
    expect(await untilReconnected(away)).toBe(false);
    expect(performance.now() - began).toBeGreaterThan(1_000);
    // After that there is no wait, except for as long as the timer fired early.
    expect(await Promise.race([untilReconnected(away), sleep(1_000)])).toBe(false);
    away.disconnect();
  });
});
