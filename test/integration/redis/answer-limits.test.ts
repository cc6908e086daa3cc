import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { isCollected } from '../../support/is-collected.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;

beforeAll(async () => {
  server = await startTestRedis();
});
afterAll(() => server.stop());

it('lets go of an answered command as soon as the next one is sent', async () => {
  const redis = openRedis(server.url, 'request', () => undefined);
  await untilReady(redis);
  const command = await sendOne(redis);
  await redis.ping();
  expect(await isCollected(command)).toBe(true);
  redis.disconnect();
});

it('leaves a command that failed as it was, since it may be sent again', async () => {
  const redis = openRedis(server.url, 'request', () => undefined);
  await untilReady(redis);
  await redis.set('text', 'x');
  const failing = new Command('hget', ['text', 'field'], { replyEncoding: 'utf8' });
  redis.sendCommand(failing);
  await expect(failing.promise).rejects.toThrow('WRONGTYPE');
  await redis.ping();
  expect(failing.args).toEqual(['text', 'field']);
  redis.disconnect();
});

it('leaves the commands of a pipeline as they were, since a cluster may send all of them again', async () => {
  const redis = openRedis(server.url, 'request', () => undefined);
  await untilReady(redis);
  const pipeline = redis.pipeline().get('a').get('b');
  const { _queue: commands } = pipeline as unknown as { _queue: Command[] };
  await pipeline.exec();
  await redis.ping();
  expect(commands.map(({ args }) => args)).toEqual([['a'], ['b']]);
  redis.disconnect();
});

it('asks for a sign of life only where nothing else is heard', async () => {
  const [busy, idle] = [1, 2].map(() => openRedis(server.url, 'request', () => undefined)) as [
    RedisConnection,
    RedisConnection,
  ];
  const pings = [0, 0];
  let heardAt = performance.now();
  for (const [index, redis] of [busy, idle].entries()) {
    await untilReady(redis);
    const ping = redis.ping.bind(redis);
    redis.ping = () => {
      pings[index] = (pings[index] as number) + 1;
      return ping();
    };
  }
  // How many pings are due because nothing was heard, as this process or Redis stood still.
  let due = 0;
  for (const until = performance.now() + 7_000; performance.now() < until; await sleep(100)) {
    await busy.get('key');
    due += Math.floor((performance.now() - heardAt) / 800);
    heardAt = performance.now();
  }
  expect(pings[0]).toBeLessThanOrEqual(due);
  expect(pings[1]).toBeGreaterThan(1);
  for (const redis of [busy, idle]) redis.disconnect();
});

async function sendOne(redis: RedisConnection): Promise<WeakRef<object>> {
  const command = new Command('get', ['key'], { replyEncoding: 'utf8' });
  redis.sendCommand(command);
  await command.promise;
  return new WeakRef(command);
}
