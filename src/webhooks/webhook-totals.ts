import type { RedisConnection } from '../redis/connections.ts';
import { directoryKey } from '../redis/keys.ts';

/** The most webhooks that are named. */
const NAMED_MAX = 10;

/** An enabled webhook for which deliveries are queued. */
export interface WebhookBacklog {
  id: string;
  workspaceId: string;
  /** Deliveries that are queued. */
  waiting: number;
  /** The age in ms of the oldest one. */
  oldestMs: number;
}

/** The totals of all webhooks, at the last sweep. */
export interface WebhookTotals {
  /** Deliveries that are queued. */
  waiting: number;
  /** The age in ms of the oldest one to an enabled webhook. */
  oldestMs: number;
  enabled: number;
  disabled: number;
  /** The enabled webhooks whose oldest delivery has waited for longest, the longest first; ten at most. */
  furthestBehind: WebhookBacklog[];
}

/** Names a webhook if it is among those that are furthest behind. */
export function noteBacklog(furthestBehind: WebhookBacklog[], one: WebhookBacklog): void {
  const last = furthestBehind.at(-1);
  const isFull = furthestBehind.length === NAMED_MAX;
  if (one.waiting === 0 || (isFull && last !== undefined && one.oldestMs <= last.oldestMs)) return;
  if (isFull) furthestBehind.pop();
  furthestBehind.push(one);
  furthestBehind.sort((a, b) => b.oldestMs - a.oldestMs);
}

const KEY = directoryKey('webhook-totals');

/** Publishes the totals of all webhooks. */
export async function saveWebhookTotals(redis: RedisConnection, totals: WebhookTotals): Promise<void> {
  await redis.hset(KEY, { ...totals, furthestBehind: JSON.stringify(totals.furthestBehind) });
}

/** The latest totals of all webhooks; all are 0 before the first sweep. */
export async function readWebhookTotals(redis: RedisConnection): Promise<WebhookTotals> {
  const [named, ...found] = await redis.hmget(
    KEY,
    'furthestBehind',
    'waiting',
    'oldestMs',
    'enabled',
    'disabled',
  );
  const [waiting = 0, oldestMs = 0, enabled = 0, disabled = 0] = found.map(Number);
  const furthestBehind: WebhookBacklog[] = JSON.parse(named ?? '[]');
  // A worker of an earlier release leaves those of an earlier sweep.
  const isOld = furthestBehind[0]?.oldestMs !== oldestMs;
  return { waiting, oldestMs, enabled, disabled, furthestBehind: isOld ? [] : furthestBehind };
}
