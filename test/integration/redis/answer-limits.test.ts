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

async function sendOne(redis: RedisConnection): Promise<WeakRef<object>> {
  const command = new Command('get', ['key'], { replyEncoding: 'utf8' });
  redis.sendCommand(command);
  await command.promise;
  return new WeakRef(command);
}
