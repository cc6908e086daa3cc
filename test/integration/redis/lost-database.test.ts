import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { openRedis, untilReady } from '../../../src/redis/connections.ts';
import { isRedisUnavailable } from '../../../src/redis/failure.ts';
import { RedisWatch } from '../../../src/redis/redis-watch.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis } from '../../support/redis/redis.ts';

it('a Redis that was started again without the database counts as away, and no other database is written to', async () => {
  const before = await startTestRedis();
  const lines: { msg: string; err?: { message: string } }[] = [];
  const log = pino({}, { write: (line) => lines.push(JSON.parse(line)) });
  const watch = new RedisWatch(`${before.url}/5`, log);
  const request = watch.open('request');
  const worker = watch.open('worker') as Redis;
  // As BullMQ makes one.
  const duplicate = worker.duplicate();
  duplicate.on('error', () => undefined);
  await Promise.all([request, worker, duplicate].map(untilReady));
  await before.stop();

  const without = await startTestRedis({ port: before.port, args: ['--databases', '2'] });
  const other = openRedis(without.url, 'worker', () => undefined);
  await untilReady(other);
  const failed = () => lines.filter(({ err }) => /DB index is out of range/.test(err?.message ?? ''));
  await eventually(() => failed().length > 0);
  const waiting = [worker, duplicate].map((redis) => redis.set('late', 'x'));
  for (let turn = 0; turn < 20; turn += 1) {
    await expect(request.set('now', 'x')).rejects.toSatisfy(isRedisUnavailable);
    await sleep(50);
  }
  expect(await other.dbsize()).toBe(0);
  expect(failed()).toHaveLength(1);
  other.disconnect();
  await without.stop();

  const after = await startTestRedis({ port: before.port });
  await Promise.all(waiting);
  await eventually(() => lines.some(({ msg }) => msg === 'Redis is back'));
  const found = openRedis(`${after.url}/5`, 'worker', () => undefined);
  expect(await found.keys('*')).toEqual(['late']);
  for (const redis of [request, worker, duplicate, found]) redis.disconnect();
  await after.stop();
});
