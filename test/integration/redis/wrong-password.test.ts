import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { toProblem } from '../../../src/api/plugins/problems.ts';
import {
  type ConnectionRole,
  openRedis,
  type RedisConnection,
  untilReady,
} from '../../../src/redis/connections.ts';
import { RedisWatch } from '../../../src/redis/redis-watch.ts';
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

it('says once that the password is refused, also of a Redis that was started again with another one', async () => {
  const first = await startTestRedis({ args: ['--requirepass', 'old'] });
  const lines: { level: number; msg: string }[] = [];
  const log = pino({}, { write: (line) => lines.push(JSON.parse(line)) });
  const watch = new RedisWatch(first.url.replace('redis://', 'redis://:old@'), log);
  redis = watch.open('worker');
  await untilReady(redis);
  await first.stop();
  await eventually(() => lines.some(({ msg }) => msg.startsWith('Redis is away')));
  const second = await startTestRedis({ port: first.port, args: ['--requirepass', 'new'] });
  try {
    const refusals = () => lines.filter(({ msg }) => msg.startsWith('Redis refuses the password'));
    await eventually(() => refusals().length > 0);
    await sleep(1_000);
    expect(refusals()).toHaveLength(1);
  } finally {
    redis.disconnect();
    await second.stop();
  }
});
