import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Webhook } from '../../../src/directory/collections.ts';
import { recordsKey } from '../../../src/directory/records.ts';
import { newId } from '../../../src/ids.ts';
import type { LaneShares } from '../../../src/queue/lane-shares.ts';
import { type WebhookJob, WebhookQueue } from '../../../src/queue/webhook-queue.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { newDelivery } from '../../../src/webhooks/delivery.ts';
import { lineKey } from '../../../src/webhooks/line-keys.ts';
import { appendDeliveries } from '../../../workers/delivery/append-deliveries.ts';
import { DeliveryRunner, type DeliveryRunnerOptions } from '../../../workers/delivery/delivery-runner.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
let redis: RedisConnection;
let queue: WebhookQueue;

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

it('a line that gets no permit comes again after a while, also if so many wait that it cannot', async () => {
  const tenant = { organizationId: newId('organization'), workspaceId: newId('workspace'), weight: 1 };
  const { organizationId, workspaceId } = tenant;
  const webhook = { id: newId('webhook'), workspaceId, organizationId, status: 'enabled' } as Webhook;
  await redis.hset(recordsKey('webhooks'), webhook.id, JSON.stringify(webhook));
  await redis.hset(lineKey(webhook, 'state'), { position: '0' });
  const lines = [1, 2].map(() => newId('messengerAccount')) as [string, string];
  const deliveries = lines.map((messengerAccountId) =>
    newDelivery({ kind: 'RawUpdateConfig', offset: '1', messengerAccountId }),
  );
  expect(await appendDeliveries(redis, webhook, { from: '0', to: '1' }, deliveries)).toBe(true);
  const tenants = { find: async () => tenant };
  const runner = new DeliveryRunner({ redis, queue, tenants } as unknown as DeliveryRunnerOptions);
  const shares: LaneShares<WebhookJob> = Reflect.get(runner, 'shares');
  const [waiting, leftOut] = lines.map(
    (line): WebhookJob => ({ what: 'line', workspaceId, webhookId: webhook.id, line }),
  ) as [WebhookJob, WebhookJob];
  while (shares.take(tenant, 'holds a permit', waiting));
  await runner.run(waiting);
  for (let at = 0; at < 10_000; at += 1) shares.take(tenant, `waits ${at}`, waiting);
  await runner.run(leftOut);
  expect(shares.isWaiting(workspaceId, `${webhook.id} ${lines[0]}`)).toBe(true);
  expect(shares.isWaiting(workspaceId, `${webhook.id} ${lines[1]}`)).toBe(false);
  expect(await runner.next(waiting)).toBeGreaterThanOrEqual(2_000);
  expect(await runner.next(leftOut)).toBeGreaterThanOrEqual(2_000);
});
