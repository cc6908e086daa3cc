import type { Webhook } from '../../src/directory/collections.ts';
import { findRecord, patchRecord } from '../../src/directory/records.ts';
import type { Logger } from '../../src/logger.ts';
import type { WebhookQueue } from '../../src/queue/webhook-queue.ts';
import { mayLogLine } from '../../src/tenant-lines.ts';
import { type Delivery, PING, withAttempt } from '../../src/webhooks/delivery.ts';
import { requestWake } from '../../src/webhooks/request-wake.ts';
import { type AttemptContext, type AttemptResult, attemptDelivery } from './attempt-delivery.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { reportTrimmed } from './report-gap.ts';
import { nextAttemptAt, RETRY_DELAYS } from './retry-schedule.ts';
import { type DeliveryOutcome, settleDelivery, type WebhookState } from './settle-delivery.ts';

/** The dependencies of sending. */
export interface SendContext extends AttemptContext {
  queue: WebhookQueue;
  metrics: DeliveryMetrics;
  log: Logger;
  /** How long after each failed attempt the next one follows, in ms; the schedule of Standard Webhooks by default. */
  retryDelays?: readonly number[];
  /** How long all deliveries may fail before a webhook is disabled. */
  failingMaxMs?: number;
}

const FAILING_MAX_MS = 5 * 24 * 3_600_000;
const FAILURES_MIN = 10;

/**
 * Attempts a delivery and records the result; `on` if its line may go on. `asked` is how often a retry at once had been asked for when the
 * delivery was read.
 */
export async function sendDelivery(
  context: SendContext,
  webhook: Webhook,
  delivery: Delivery,
  { inLine, asked }: { inLine: boolean; asked: string | null },
): Promise<'on' | 'stay'> {
  const { redis, queue, log, metrics, retryDelays = RETRY_DELAYS } = context;
  const at = new Date().toISOString();
  const attempted = await attemptDelivery(context, webhook, delivery);
  if (attempted === null) {
    await reportTrimmed(redis, queue, webhook, delivery);
    const error = 'the update is no longer kept';
    const record = withAttempt(delivery, { at, statusCode: null, durationMs: 0, error });
    const settled = await settleDelivery(redis, webhook, record, { to: 'failed' }, { wasAttempted: false });
    if (settled !== null) metrics.deliveries.inc({ status: 'failed' });
    return 'on';
  }
  const { verdict, statusCode, durationMs, error, retryAfterMs, wasSent } = attempted;
  metrics.attempts.inc({ verdict });
  // Successes of other lines bring retries forward every second: if those counted, the ten would be over long before the schedule is.
  const scheduledAt = scheduledAfter(delivery, at);
  const counts = wasSent && scheduledAt === null;
  const tried = withAttempt(delivery, { at, statusCode, durationMs, error }, counts);
  // The answer of an address that is no longer the webhook's does not count.
  const wasMoved = verdict !== 'taken' && delivery.kind !== PING && (await hasMoved(context, webhook));
  const fate = wasMoved ? dueNow(inLine) : fateOf(tried, attempted, inLine, { scheduledAt, retryDelays });
  const pausedUntil = wasMoved || retryAfterMs === null ? 0 : Date.now() + retryAfterMs;
  const settled = await settleDelivery(redis, webhook, tried, fate, {
    wasAttempted: wasSent && !wasMoved,
    begunAt: Date.parse(at),
    pausedUntil,
    asked,
  });
  const about = { webhookId: webhook.id, deliveryId: delivery.id, statusCode, durationMs, error };
  if (verdict === 'taken') log.debug(about, 'webhook delivery tried');
  else if (mayLogLine(log, webhook.workspaceId)) log.info(about, 'webhook delivery tried');
  if (settled === null) return 'stay';
  if (fate.to === 'succeeded' || fate.to === 'failed') metrics.deliveries.inc({ status: fate.to });
  await judgeWebhook(context, webhook, verdict, settled, delivery);
  return fate.to === 'held' || verdict === 'gone' ? 'stay' : 'on';
}

async function hasMoved({ redis }: SendContext, { id, url }: Webhook): Promise<boolean> {
  const found = await findRecord(redis, 'webhooks', id);
  return found !== null && found.url !== url;
}

/** When a delivery's retry is due (ms since the epoch) if an attempt begins before that; else null. */
function scheduledAfter({ tries, nextAttemptAt }: Delivery, at: string): number | null {
  // A first attempt counts whatever the clocks of two machines say.
  if (tries === 0 || nextAttemptAt === null) return null;
  const scheduledAt = Date.parse(nextAttemptAt);
  return Date.parse(at) < scheduledAt ? scheduledAt : null;
}

function fateOf(
  tried: Delivery,
  { verdict, retryAfterMs, wasSent }: AttemptResult,
  inLine: boolean,
  { scheduledAt, retryDelays }: { scheduledAt: number | null; retryDelays: readonly number[] },
): DeliveryOutcome {
  if (verdict === 'taken') return { to: 'succeeded' };
  // What cannot be signed waits ever longer, and for as long as it takes.
  const step = wasSent ? tried.tries : Math.min(tried.attempts.length, retryDelays.length);
  const nextAt =
    tried.kind === PING
      ? null
      : scheduledAt === null
        ? nextAttemptAt(step, retryAfterMs, retryDelays)
        : Math.max(scheduledAt, Date.now() + (retryAfterMs ?? 0));
  // A webhook whose receiver is gone is disabled. Nothing is lost: it continues with this delivery if it is enabled again.
  if (verdict === 'gone' && inLine) return dueNow(inLine);
  if (nextAt === null) return { to: 'failed' };
  return { to: verdict === 'refused' || !inLine ? 'aside' : 'held', nextAt };
}

/** Applies the verdict of an attempt to the webhook as a whole. */
async function judgeWebhook(
  context: SendContext,
  webhook: Webhook,
  verdict: AttemptResult['verdict'],
  { failuresInARow, failingSince, linesWaiting }: WebhookState,
  { kind }: Delivery,
): Promise<void> {
  const { redis, queue, failingMaxMs = FAILING_MAX_MS } = context;
  if (verdict === 'taken') {
    if (linesWaiting > 0 || kind === PING) await requestWake(redis, queue, webhook, { aside: kind === PING });
  } else if (verdict === 'gone') {
    await disable(context, webhook, 'gone');
  } else if (failuresInARow >= FAILURES_MIN && Date.now() - failingSince >= failingMaxMs) {
    await disable(context, webhook, 'failing');
  }
}

/** Disables a webhook, unless its URL has changed meanwhile, or it is disabled already. */
async function disable(
  { redis, log }: SendContext,
  { id, url }: Webhook,
  disabledReason: 'gone' | 'failing',
): Promise<void> {
  let isDisabled = false;
  await patchRecord(redis, 'webhooks', id, (found): Partial<Webhook> => {
    isDisabled = found.url === url && found.status === 'enabled';
    return isDisabled ? { status: 'disabled', disabledReason, disabledAt: new Date().toISOString() } : {};
  });
  if (isDisabled) log.warn({ webhookId: id, disabledReason }, 'webhook disabled');
}

function dueNow(inLine: boolean): DeliveryOutcome {
  return { to: inLine ? 'held' : 'aside', nextAt: Date.now() };
}
