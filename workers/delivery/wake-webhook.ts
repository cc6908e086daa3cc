import type { Webhook } from '../../src/directory/collections.ts';
import type { WebhookJob, WebhookQueue } from '../../src/queue/webhook-queue.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import { lineKey } from '../../src/webhooks/line-keys.ts';
import { surveyLines } from './survey-lines.ts';

const HURRIED_AT_ONCE = 50;

/** Has every line of a webhook tried at once, and what was put aside and is due. */
export async function wakeWebhook(
  redis: RedisConnection,
  queue: WebhookQueue,
  webhook: Webhook,
): Promise<void> {
  const { id: webhookId, workspaceId } = webhook;
  const held = await redis.zrange(lineKey(webhook, 'holds'), '0', '-1');
  // Lines are due now, and so is whatever the receiver had asked to wait for.
  await redis.multi().del(lineKey(webhook, 'holds')).hdel(lineKey(webhook, 'state'), 'pausedUntil').exec();
  const { lines, aside } = await surveyLines(redis, webhook);
  const jobs: WebhookJob[] = [
    { what: 'feed', workspaceId },
    ...[...new Set([...held, ...lines])].map(
      (line) => ({ what: 'line', workspaceId, webhookId, line }) as const,
    ),
    ...aside.map((deliveryId) => ({ what: 'delivery', workspaceId, webhookId, deliveryId }) as const),
  ];
  for (let at = 0; at < jobs.length; at += HURRIED_AT_ONCE) {
    await Promise.all(jobs.slice(at, at + HURRIED_AT_ONCE).map((each) => queue.hurry(each)));
  }
}
