import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { every } from '../../../src/every.ts';
import { untilReady } from '../../../src/redis/connections.ts';
import { RedisWatch } from '../../../src/redis/redis-watch.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestCluster } from '../../support/redis/redis-cluster.ts';

const KEYS = Array.from({ length: 16 }, (_, i) => `key:${i}`);

it('a cluster is not back while one of its masters is dead', async () => {
  const cluster = await startTestCluster({ replicas: false });
  onTestFinished(cluster.stop);
  const lines: string[] = [];
  const log = pino({}, { write: (line) => lines.push(JSON.parse(line).msg) });
  const redis = new RedisWatch(cluster.url, log).open('request');
  onTestFinished(() => redis.disconnect());
  await untilReady(redis);
  const asking = every(500, () => Promise.allSettled(KEYS.map((key) => redis.get(key))));
  onTestFinished(() => asking.stop());
  process.kill(cluster.masters[1]?.pid as number, 'SIGKILL');
  await eventually(() => lines.length > 0);
  await sleep(8_000);
  expect(lines).toEqual(['Redis is away: calls wait or fail until it is back']);
});
