import type { WebhookQueue } from '../../src/queue/webhook-queue.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import { directoryKey } from '../../src/redis/keys.ts';
import { noteBacklog, type WebhookTotals } from '../../src/webhooks/webhook-totals.ts';
import { startDue } from './start-due.ts';
import { surveyLines } from './survey-lines.ts';
import { untilNextWake } from './wake-webhook.ts';
import { iterateWebhooks } from './workspace-webhooks.ts';

const LEASE = directoryKey('webhook-sweep');
// Of each webhook. Where a receiver is away, all its lines may be held, and every sweep would look at a thousand to find none. It begins at
// any line, so a line that is due, but has lost its job, is found some sweeps later.
const SCANNED_MAX = 100;
// Of the lease.
const RENEWED_AFTER = 1 / 4;

/**
 * Checks all webhooks: queues missing jobs, and counts webhooks and waiting deliveries. Null if another process does, or has begun to in
 * the last `leaseMs`. Throws when `signal` aborts.
 */
export async function sweepWebhooks(
  redis: RedisConnection,
  queue: WebhookQueue,
  signal: AbortSignal,
  leaseMs: number,
): Promise<WebhookTotals | null> {
  signal.throwIfAborted();
  if ((await redis.set(LEASE, '1', 'PX', leaseMs, 'NX')) === null) return null;
  const totals: WebhookTotals = { waiting: 0, oldestMs: 0, enabled: 0, disabled: 0, furthestBehind: [] };
  let renewedAt = performance.now();
  for await (const webhook of iterateWebhooks(redis)) {
    signal.throwIfAborted();
    if (performance.now() > renewedAt + leaseMs * RENEWED_AFTER) {
      renewedAt = performance.now();
      await redis.pexpire(LEASE, leaseMs);
    }
    const { id, workspaceId, status } = webhook;
    totals[status] += 1;
    if (status === 'disabled') {
      totals.waiting += (await surveyLines(redis, webhook, { listsDue: false })).queued;
      continue;
    }
    const { isBehind, queued, oldestMs, isWakeAsked } = await startDue(redis, queue, webhook, {
      scannedMax: SCANNED_MAX,
    });
    totals.waiting += queued;
    totals.oldestMs = Math.max(totals.oldestMs, oldestMs);
    noteBacklog(totals.furthestBehind, { id, workspaceId, waiting: queued, oldestMs });
    // One that has failed may wait for as long as a clock was wrong.
    if (isBehind) await queue.hurry({ what: 'feed', workspaceId });
    // A job of it may be lost, or wait for longer than it has to since a retry has succeeded.
    if (isWakeAsked && (await untilNextWake(redis, webhook)) === 0)
      await queue.hurry({ what: 'wake', workspaceId, webhookId: id });
  }
  return totals;
}
