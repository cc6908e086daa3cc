import { expect, it, onTestFinished } from 'vitest';
import { openRedis, untilReady } from '../../../src/redis/connections.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestCluster } from '../../support/redis/redis-cluster.ts';

// Attempts to connect again come at random times: what can end one does not meet each.
const SUBSCRIBERS = 16;
const FAILURES = 5;

it.each(['127.0.0.1', 'localhost'])(
  'subscribers of a cluster at %s hear again after all of it was lost',
  async (host) => {
    const cluster = await startTestCluster({ masters: 1, replicas: false });
    onTestFinished(cluster.stop);
    const failures = Array.from({ length: SUBSCRIBERS }, () => 0);
    const heard = new Set<number>();
    const subscribers = failures.map((_, index) => {
      const subscriber = openRedis(cluster.url.replace('127.0.0.1', host), 'subscriber', () => {
        failures[index] = (failures[index] as number) + 1;
      });
      subscriber.on('smessage', () => heard.add(index));
      onTestFinished(() => subscriber.disconnect());
      return subscriber;
    });
    const publisher = openRedis(cluster.url, 'state', () => undefined);
    onTestFinished(() => publisher.disconnect());
    await Promise.all(subscribers.map((subscriber) => subscriber.ssubscribe('news')));
    failures.fill(0);
    process.kill(cluster.pid, 'SIGKILL');
    await eventually(() => failures.every((count) => count >= FAILURES));
    await cluster.revive();
    await eventually(async () => {
      await publisher.spublish('news', 'text');
      return heard.size === SUBSCRIBERS;
    });
  },
);

it('opens a cluster by a name that no node of it announces', async () => {
  const cluster = await startTestCluster({ masters: 1, replicas: false });
  onTestFinished(cluster.stop);
  const redis = openRedis(cluster.url.replace('127.0.0.1', 'localhost'), 'request', () => undefined);
  onTestFinished(() => redis.disconnect());
  await untilReady(redis);
  expect(await redis.get('key')).toBeNull();
});
