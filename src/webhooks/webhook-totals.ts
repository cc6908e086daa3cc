import type { RedisConnection } from '../redis/connections.ts';
import { directoryKey } from '../redis/keys.ts';

/** The totals of all webhooks, at the last sweep. */
export interface WebhookTotals {
  /** Deliveries that are queued. */
  waiting: number;
  /** The age in ms of the oldest one to an enabled webhook. */
  oldestMs: number;
  enabled: number;
  disabled: number;
}

const KEY = directoryKey('webhook-totals');

/** Publishes the totals of all webhooks. */
export async function saveWebhookTotals(redis: RedisConnection, totals: WebhookTotals): Promise<void> {
  await redis.hset(KEY, { ...totals });
}

/** The latest totals of all webhooks; all are 0 before the first sweep. */
export async function readWebhookTotals(redis: RedisConnection): Promise<WebhookTotals> {
  const found = await redis.hmget(KEY, 'waiting', 'oldestMs', 'enabled', 'disabled');
  const [waiting = 0, oldestMs = 0, enabled = 0, disabled = 0] = found.map(Number);
  return { waiting, oldestMs, enabled, disabled };
}
