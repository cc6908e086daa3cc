import type { Webhook } from '../../src/directory/collections.ts';
import type { SecretBox } from '../../src/directory/secret-box.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import { findUpdate } from '../../src/updates/find-update.ts';
import { timeOf } from '../../src/updates/update-entry.ts';
import type { Delivery } from '../../src/webhooks/delivery.ts';
import { openSigningSecrets } from '../../src/webhooks/signing-secrets.ts';
import type { Poster } from './post.ts';
import { readRetryAfter } from './retry-schedule.ts';
import { signatureHeaders } from './sign.ts';

/**
 * What an attempt says of delivery and receiver:
 * - `taken`: it has it
 * - `away`: it cannot take anything now, so what comes later has to wait too
 * - `refused`: it does not take this one
 * - `gone`: it wants nothing any more
 */
export type Verdict = 'taken' | 'away' | 'refused' | 'gone';

/** How an attempt went. */
export interface Attempted {
  verdict: Verdict;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
  retryAfterMs: number | null;
}

/** What attempts need. */
export interface AttemptContext {
  redis: RedisConnection;
  box: SecretBox;
  poster: Poster;
}

/** Sends a delivery once; null when the update is no longer held and there is nothing to send. */
export async function attemptDelivery(
  { redis, box, poster }: AttemptContext,
  webhook: Webhook,
  delivery: Delivery,
): Promise<Attempted | null> {
  const body = await bodyOf(redis, webhook.workspaceId, delivery);
  if (body === null) return null;
  const secrets = openSecrets(box, webhook);
  if (secrets === null) {
    const error = 'the secret cannot be opened: this worker has another SWITCHBOARD_SECRET';
    return { verdict: 'away', statusCode: null, durationMs: 0, error, retryAfterMs: null };
  }
  const headers = signatureHeaders(secrets, delivery.id, body);
  const { statusCode, durationMs, error, retryAfter } = await poster.post(
    webhook.url,
    headers,
    body,
    webhook,
  );
  const asksToWait = statusCode === 429 || statusCode === 503;
  const retryAfterMs = asksToWait ? readRetryAfter(retryAfter) : null;
  return { verdict: verdictOf(statusCode), statusCode, durationMs, error, retryAfterMs };
}

function verdictOf(statusCode: number | null): Verdict {
  if (statusCode === null || statusCode >= 500 || statusCode === 429) return 'away';
  if (statusCode >= 200 && statusCode < 300) return 'taken';
  return statusCode === 410 ? 'gone' : 'refused';
}

function openSecrets(box: SecretBox, webhook: Webhook): string[] | null {
  try {
    return openSigningSecrets(box, webhook);
  } catch {
    return null;
  }
}

/** The body, the same on every attempt. */
async function bodyOf(
  redis: RedisConnection,
  workspaceId: string,
  { kind, offset, data, createdAt }: Delivery,
): Promise<string | null> {
  const type = JSON.stringify(kind);
  if (data !== undefined) return `{"type":${type},"timestamp":"${createdAt}","data":${JSON.stringify(data)}}`;
  const update = await findUpdate(redis, workspaceId, offset);
  return update === null ? null : `{"type":${type},"timestamp":"${timeOf(offset)}","data":${update.json}}`;
}
