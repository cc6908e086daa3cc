import type { WebhookJob, WebhookQueue } from '../../src/queue/webhook-queue.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import type { LineOwner } from '../../src/webhooks/line-keys.ts';
import { type LeaseWaiter, lineUp } from './lease.ts';
import { type Survey, surveyLines } from './survey-lines.ts';

/** Surveys a webhook, and queues jobs for as many due lines and deliveries as may be sent at once. The rest waits for leases. */
export async function startDue(
  redis: RedisConnection,
  queue: Pick<WebhookQueue, 'hurry'>,
  owner: LineOwner,
  { scannedMax }: { scannedMax?: number } = {},
): Promise<Survey> {
  const survey = await surveyLines(redis, owner, { listsDue: true, scannedMax });
  await start(queue, owner, survey.toStart);
  return survey;
}

/** Queues jobs for as many lines that are due as may be sent at once; the others that are due wait for leases. */
export async function startLines(
  redis: RedisConnection,
  queue: Pick<WebhookQueue, 'hurry'>,
  owner: LineOwner,
  lines: readonly string[],
): Promise<void> {
  await start(queue, owner, await lineUp(redis, owner, lines));
}

async function start(
  queue: Pick<WebhookQueue, 'hurry'>,
  owner: LineOwner,
  names: readonly string[],
): Promise<void> {
  const jobs = names.map((name) => jobOf(owner.workspaceId, { webhookId: owner.id, name }));
  await Promise.all(jobs.map((job) => queue.hurry(job)));
}

/** The job that sends a waiting line or delivery. */
export function jobOf(workspaceId: string, { webhookId, name }: LeaseWaiter): WebhookJob {
  return name.startsWith('dlv_')
    ? { what: 'delivery', workspaceId, webhookId, deliveryId: name }
    : { what: 'line', workspaceId, webhookId, line: name };
}
