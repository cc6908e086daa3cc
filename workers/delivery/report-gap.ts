import type { Webhook } from '../../src/directory/collections.ts';
import { patchRecord } from '../../src/directory/records.ts';
import type { WebhookQueue } from '../../src/queue/webhook-queue.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import { floorKey } from '../../src/redis/keys.ts';
import { offsetBefore } from '../../src/updates/offset.ts';
import { COMMON_LINE, type Delivery, GAP, newDelivery } from '../../src/webhooks/delivery.ts';
import { lineKey } from '../../src/webhooks/line-keys.ts';
import { appendDeliveries } from './append-deliveries.ts';
import { isTaken } from './attempt-delivery.ts';

/** A range of updates that were trimmed before they could be sent: behind `from`, up to and including `to`. */
interface Gap {
  from: string;
  to: string;
}

/** The notice that tells a webhook's receiver of a gap. */
export function gapNotice({ id: webhookId, workspaceId }: Webhook, { from, to }: Gap): Delivery {
  const data = { webhookId, workspaceId, from, to };
  return newDelivery({ kind: GAP, offset: to, messengerAccountId: null, data });
}

/** Shows a gap on its webhook. */
export async function noteGap(redis: RedisConnection, webhook: Webhook, gap: Gap): Promise<void> {
  await patchRecord(redis, 'webhooks', webhook.id, { gap: { ...gap, at: new Date().toISOString() } });
}

/**
 * Tells the receiver that the update of a queued delivery was trimmed, with all that was trimmed behind it, unless the last gap of the
 * webhook tells that already or the receiver has taken the delivery before.
 */
export async function reportTrimmed(
  redis: RedisConnection,
  queue: Pick<WebhookQueue, 'add'>,
  webhook: Webhook,
  { offset, attempts }: Delivery,
): Promise<void> {
  const { id: webhookId, workspaceId, gap: last } = webhook;
  const isKnown = last !== null && offset > last.from && offset <= last.to;
  if (isKnown || attempts.some(({ statusCode }) => isTaken(statusCode))) return;
  const floor = (await redis.get(floorKey(workspaceId))) ?? '';
  const gap = { from: offsetBefore(offset), to: floor > offset ? floor : offset };
  const notice = gapNotice(webhook, gap);
  for (let isAppended = false; !isAppended; ) {
    const position = await redis.hget(lineKey(webhook, 'state'), 'position');
    if (position === null) return;
    // It takes the place of the delivery, which cannot be settled without it.
    isAppended = await appendDeliveries(redis, webhook, { from: position, to: position }, [notice], {
      mayExceed: true,
    });
  }
  // Only now: a worker that dies before tells of the gap twice, and not never.
  await noteGap(redis, webhook, gap);
  await queue.add({ what: 'line', workspaceId, webhookId, line: COMMON_LINE });
}
