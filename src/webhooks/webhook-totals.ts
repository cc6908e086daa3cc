import type { RedisConnection } from '../redis/connections.ts';
import { directoryKey } from '../redis/keys.ts';

/** How all webhooks together stood when a worker last looked at each. */
export interface WebhookTotals {
  /** Deliveries that are queued. */
  waiting: number;
  /** For how many ms the oldest of those to enabled webhooks has been. */
  oldestMs: number;
  enabled: number;
  disabled: number;
}

const KEY = directoryKey('webhook-totals');

/** Tells all processes how the webhooks stand. */
export async function saveWebhookTotals(redis: RedisConnection, totals: WebhookTotals): Promise<void> {
  await redis.hset(KEY, { ...totals });
}

/** How the webhooks stood of late; all is 0 before anyone has looked. */
export async function readWebhookTotals(redis: RedisConnection): Promise<WebhookTotals> {
  const found = await redis.hmget(KEY, 'waiting', 'oldestMs', 'enabled', 'disabled');
  const [waiting = 0, oldestMs = 0, enabled = 0, disabled = 0] = found.map(Number);
  return { waiting, oldestMs, enabled, disabled };
}
