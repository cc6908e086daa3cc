import type { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addRemains, remainsKey } from '../../../src/directory/deletions.ts';
import { newId } from '../../../src/ids.ts';
import { openRedis, untilReady } from '../../../src/redis/connections.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
let redis: Redis;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'worker', () => undefined) as Redis;
  await untilReady(redis);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const inAnHour = Date.now() + 3_600_000;
const [sooner, later] = [String(inAnHour), String(inAnHour + 1)];

test('what a deleted workspace keeps counts once if the connection was cut, as its script was sent again', async () => {
  const organizationId = newId('organization');
  // So that Redis has the script, and takes one command for a run.
  await addRemains(redis, newId('organization'), 'other', [[sooner, '1']]);
  await redis.config('RESETSTAT');
  const adding = addRemains(redis, organizationId, 'cut', [
    [sooner, '300'],
    [later, '20'],
  ]);
  redis.stream.destroy();
  await adding;
  expect(await redis.info('commandstats')).toContain('cmdstat_evalsha:calls=2,');
  expect(await redis.hgetall(remainsKey(organizationId))).toEqual({ [sooner]: '300', [later]: '20' });
});

test('nor does it count again for a second worker, but what a later pass finds does', async () => {
  const organizationId = newId('organization');
  for (const pass of ['first', 'first', 'last'])
    await addRemains(redis, organizationId, pass, [[later, '5']]);
  expect(await redis.hgetall(remainsKey(organizationId))).toEqual({ [later]: '10' });
});

test('that it was counted is kept for as long as it counts', async () => {
  const organizationId = newId('organization');
  await addRemains(redis, organizationId, 'kept', [
    [later, '5'],
    [sooner, '5'],
  ]);
  const [note = ''] = await redis.keys('*:kept');
  const keys = [note, remainsKey(organizationId)];
  expect(await Promise.all(keys.map((key) => redis.pexpiretime(key)))).toEqual([
    Number(later),
    Number(later),
  ]);
});
