import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { DataWatch } from '../../../src/directory/data-watch.ts';
import { openLogger } from '../../../src/logger.ts';
import { openRedis, untilReady } from '../../../src/redis/connections.ts';
import { epochKeys } from '../../../src/redis/keys.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestCluster } from '../../support/redis/redis-cluster.ts';

it('every one of eight masters that loses its data is noticed, once', async () => {
  const cluster = await startTestCluster({ masters: 8, replicas: false });
  onTestFinished(cluster.stop);
  const redis = openRedis(cluster.url, 'request', () => undefined);
  onTestFinished(() => redis.disconnect());
  await untilReady(redis);
  const log = openLogger(readConfig({ LOG_LEVEL: 'silent' }), 'test');
  const watches = [1, 2].map(() => new DataWatch(redis, { now: () => Date.now() }, log));
  onTestFinished(() => {
    for (const watch of watches) watch.stop();
  });
  for (const watch of watches) await watch.start();
  for (const [index, { url }] of cluster.masters.entries()) {
    const master = new Redis(url);
    await master.flushall().finally(() => master.disconnect());
    await eventually(() => watches.every(({ losses }) => losses === index + 1));
  }
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(watches.map(({ losses }) => losses)).toEqual([8, 8]);
  const slots = epochKeys(true).map(({ key }) => redis.call('CLUSTER', 'KEYSLOT', key));
  expect(await Promise.all(slots)).toEqual(epochKeys(true).map(({ slot }) => slot));
});
