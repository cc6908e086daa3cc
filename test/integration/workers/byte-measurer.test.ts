import { afterAll, beforeAll, it } from 'vitest';
import { recordsKey } from '../../../src/directory/records.ts';
import { newId } from '../../../src/ids.ts';
import { openLogger } from '../../../src/logger.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { bytesKey } from '../../../src/redis/keys.ts';
import { ByteMeasurer } from '../../../workers/byte-measurer.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
let redis: RedisConnection;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'worker', () => undefined);
  await untilReady(redis);
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

it('measures the workspaces that wait behind one that cannot be measured', async () => {
  const [broken, ...others] = Array.from({ length: 3 }, () => newId('workspace')) as [string, ...string[]];
  for (const id of [broken, ...others]) await redis.hset(recordsKey('workspaces'), id, '{}');
  await redis.set(bytesKey(broken), 'no hash');
  const measurer = new ByteMeasurer(redis, openLogger({ LOG_LEVEL: 'silent' }, 'test'));
  for (const id of [broken, ...others]) measurer.add(id);
  await eventually(async () => {
    const found = await Promise.all(others.map((id) => redis.hexists(bytesKey(id), 'measuredFor')));
    return !found.includes(0);
  });
  measurer.stop();
});
