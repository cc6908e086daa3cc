import { afterAll, beforeAll } from 'vitest';
import { WebhookQueue } from '../../../src/queue/webhook-queue.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { startTestRedis, type TestRedis } from './redis.ts';

let server: TestRedis;
export let redis: RedisConnection;
export let queue: WebhookQueue;

/** Gives the tests of a file a Redis of their own, with the queue of webhooks: `redis` and `queue`. */
export function useWebhookQueue(): void {
  beforeAll(async () => {
    server = await startTestRedis();
    redis = openRedis(server.url, 'worker', () => undefined);
    await untilReady(redis);
    queue = new WebhookQueue(redis);
  });
  afterAll(async () => {
    await queue.close();
    redis.disconnect();
    await server.stop();
  });
}
