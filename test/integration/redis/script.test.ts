import { pack, unpack } from 'msgpackr';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { Script } from '../../../src/redis/script.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
let redis: RedisConnection;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'state', () => undefined);
  await untilReady(redis);
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

it.each([
  ['texts', ['first', '', 'ünï ✓ 🙂\r\n', 7]],
  [
    'a binary one among them',
    ['', 'ünï ✓ 🙂\r\n', pack(['🙂', 3, 'x'.repeat(300)]), -2, 'last', Buffer.alloc(0)],
  ],
])('gets every key and argument as it was given: %s', async (name, args) => {
  const echo = new Script(`-- ${name}
return {#KEYS, KEYS[1] or '', KEYS[2] or '', #ARGV, unpack(ARGV)}`);
  const keys = ['{schlüssel ✓}:1', '{schlüssel ✓}:2'];
  // A server that does not have it yet, and one that does.
  for (const _ of [1, 2]) {
    expect(await echo.run(redis, keys, args)).toEqual([2, ...keys, args.length, ...args.map(String)]);
  }
  expect(await echo.run(redis, [], args)).toEqual([0, '', '', args.length, ...args.map(String)]);
});

it('keeps what is binary as it is', async () => {
  const value = { text: 'ü🙂', list: [1, -1, 2.5, 2 ** 40] };
  const keep = new Script(`redis.call('SET', KEYS[1], ARGV[1])`);
  await keep.run(redis, ['kept'], [pack(value)]);
  await keep.run(redis, ['kept'], [pack(value)]);
  expect(unpack((await redis.getBuffer('kept')) as Buffer)).toEqual(value);
});

it('fails with what Redis has against it', async () => {
  const failing = new Script(`return redis.call('HGET', KEYS[1], ARGV[1])`);
  await redis.set('text', 'x');
  for (const _ of [1, 2]) {
    await expect(failing.run(redis, ['text'], [Buffer.from('field')])).rejects.toThrow(/WRONGTYPE/);
  }
});
