import type { WebhookQueue } from '../../src/queue/webhook-queue.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import type { WebhookTotals } from '../../src/webhooks/webhook-totals.ts';
import { startDue } from './start-due.ts';
import { surveyLines } from './survey-lines.ts';
import { iterateWebhooks } from './workspace-webhooks.ts';

/** Checks all webhooks: queues missing jobs, and counts webhooks and waiting deliveries. Throws when `signal` aborts. */
export async function sweepWebhooks(
  redis: RedisConnection,
  queue: WebhookQueue,
  signal: AbortSignal,
): Promise<WebhookTotals> {
  const totals = { waiting: 0, oldestMs: 0, enabled: 0, disabled: 0 };
  for await (const webhook of iterateWebhooks(redis)) {
    signal.throwIfAborted();
    const { workspaceId, status } = webhook;
    totals[status] += 1;
    if (status === 'disabled') {
      totals.waiting += (await surveyLines(redis, webhook, { listsDue: false })).queued;
      continue;
    }
    const { isBehind, queued, oldestMs } = await startDue(redis, queue, webhook);
    totals.waiting += queued;
    totals.oldestMs = Math.max(totals.oldestMs, oldestMs);
    if (isBehind) await queue.add({ what: 'feed', workspaceId });
  }
  return totals;
}
