import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { toProblem } from '../../../src/api/plugins/problems.ts';
import {
  type ConnectionRole,
  openRedis,
  type RedisConnection,
  untilReady,
} from '../../../src/redis/connections.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
let operator: RedisConnection;
let redis: RedisConnection;

beforeAll(async () => {
  server = await startTestRedis();
  operator = openRedis(server.url, 'worker', () => undefined);
  await untilReady(operator);
});

afterEach(() => redis.disconnect());

afterAll(async () => {
  operator.disconnect();
  await server.stop();
});

const setPassword = (password: string) =>
  operator.call('ACL', 'SETUSER', 'service', 'reset', 'on', `>${password}`, '~*', '&*', '+@all');

it.each<ConnectionRole>(['request', 'submit', 'state'])(
  'while the password of a %s connection is refused, Redis counts as unavailable',
  async (role) => {
    await setPassword('old');
    redis = openRedis(server.url.replace('redis://', 'redis://service:old@'), role, () => undefined);
    await untilReady(redis);
    await setPassword('new');
    await operator.call('CLIENT', 'KILL', 'USER', 'service');
    const errors: Error[] = [];
    // Some wait for the connection, some are refused with it.
    await eventually(
      () => {
        redis.get('any').catch((error: Error) => errors.push(error));
        return errors.some(({ message }) => message.startsWith('WRONGPASS'));
      },
      { everyMs: 5 },
    );
    expect(new Set(errors.map((error) => toProblem(error).code))).toEqual(new Set(['unavailable']));
    await setPassword('old');
    await eventually(async () => (await redis.ping().catch(() => '')) === 'PONG');
  },
);
