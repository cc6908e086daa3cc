import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { updatesKey } from '../../../src/redis/keys.ts';
import { startTestRedis } from '../../support/redis/redis.ts';
import { startTestCluster, type TestCluster } from '../../support/redis/redis-cluster.ts';
import { checkStreams } from '../../support/service/check-streams.ts';

let cluster: TestCluster;
let redis: RedisConnection;

beforeAll(async () => {
  cluster = await startTestCluster({ replicas: false });
  redis = openRedis(cluster.url, 'worker', () => undefined);
  await untilReady(redis);
});

afterAll(async () => {
  redis.disconnect();
  await cluster.stop();
});

it('reads the streams on all servers of a cluster, and counts what it leaves out', async () => {
  for (const name of ['a', 'b', 'c', 'd'])
    for (let count = 0; count < 3; count += 1) await redis.xadd(updatesKey(name), '*', 'u', '{"value":1}');
  expect(await checkStreams(cluster.url)).toBe(0);
  // One of each stream at least.
  expect(await checkStreams(cluster.url, 2)).toBe(12 - 2 - 3);
  await redis.xadd(updatesKey('e'), '*', 'u', '{"_":"updateNewMessage"}');
  await expect(checkStreams(cluster.url)).rejects.toThrow('updateNewMessage');
});

it('fails where there is no Redis', async () => {
  const gone = await startTestRedis();
  await gone.stop();
  await expect(checkStreams(gone.url)).rejects.toThrow('ECONNREFUSED');
});
