import type { Webhook } from '../../src/directory/collections.ts';
import type { SecretBox } from '../../src/directory/secret-box.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import { failure } from '../../src/tracing/attributes.ts';
import type { Attributes, Trace, Tracing } from '../../src/tracing/trace.ts';
import { findUpdate } from '../../src/updates/find-update.ts';
import { timeOf } from '../../src/updates/update-entry.ts';
import type { Delivery } from '../../src/webhooks/delivery.ts';
import { openSigningSecrets } from '../../src/webhooks/signing-secrets.ts';
import type { FairSemaphore } from '../turns/fair-semaphore.ts';
import type { Poster } from './post.ts';
import { readRetryAfter } from './retry-schedule.ts';
import { signatureHeaders } from './sign.ts';

/**
 * The verdict of an attempt on the delivery and its receiver:
 * - `taken`: the receiver has accepted the delivery
 * - `away`: the receiver cannot accept anything now, so later deliveries have to wait too
 * - `refused`: the receiver does not accept this delivery
 * - `gone`: the receiver wants no more deliveries
 */
export const VERDICTS = ['taken', 'away', 'refused', 'gone'] as const;

export type Verdict = (typeof VERDICTS)[number];

/** How an attempt went. */
export interface AttemptResult {
  verdict: Verdict;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
  retryAfterMs: number | null;
  /** False if this worker could not sign it, which says nothing of the receiver. */
  wasSent: boolean;
}

/** The dependencies of attempts. */
export interface AttemptContext {
  redis: RedisConnection;
  box: SecretBox;
  poster: Pick<Poster, 'post'>;
  tracing: Pick<Tracing, 'deliver'>;
  /** The semaphore whose permit an attempt yields until it is answered. */
  semaphore: Pick<FairSemaphore, 'runWithoutPermit'>;
}

/** Sends a delivery once; null if its update is no longer kept, so that there is nothing to send. */
export async function attemptDelivery(
  { redis, box, poster, tracing, semaphore }: AttemptContext,
  webhook: Webhook,
  delivery: Delivery,
): Promise<AttemptResult | null> {
  const found = await findBody(redis, webhook.workspaceId, delivery);
  if (found === null) return null;
  const { body } = found;
  const secrets = openSecrets(box, webhook);
  if (secrets === null) {
    const error = 'the secret cannot be opened: this worker has another SWITCHBOARD_SECRET';
    return { verdict: 'away', statusCode: null, durationMs: 0, error, retryAfterMs: null, wasSent: false };
  }
  const trace = traceAttempt(tracing, webhook, delivery, found.trace);
  const signed = signatureHeaders(secrets, delivery.id, body);
  const headers = trace === undefined ? signed : { ...signed, traceparent: trace.context.parent };
  const posted = await semaphore.runWithoutPermit(webhook.organizationId, async () => {
    const answer = await poster.post(webhook.url, headers, body, webhook);
    trace?.end(answer.statusCode === null ? failure('no_answer') : answered(answer.statusCode));
    return answer;
  });
  const { statusCode, durationMs, error, retryAfter } = posted;
  const asksToWait = statusCode === 429 || statusCode === 503;
  const retryAfterMs = asksToWait ? readRetryAfter(retryAfter) : null;
  return { verdict: verdictOf(statusCode), statusCode, durationMs, error, retryAfterMs, wasSent: true };
}

/** Whether this status means that the receiver has accepted the delivery. */
export function isTaken(statusCode: number | null): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300;
}

function verdictOf(statusCode: number | null): Verdict {
  if (statusCode === null || statusCode >= 500 || statusCode === 429) return 'away';
  if (isTaken(statusCode)) return 'taken';
  return statusCode === 410 ? 'gone' : 'refused';
}

function openSecrets(box: SecretBox, webhook: Webhook): string[] | null {
  try {
    return openSigningSecrets(box, webhook);
  } catch {
    return null;
  }
}

// Without the address and the answer: both are text from the tenant.
function traceAttempt(
  tracing: AttemptContext['tracing'],
  { id, workspaceId, organizationId }: Webhook,
  delivery: Delivery,
  parent: string | undefined,
): Trace | undefined {
  if (parent === undefined) return undefined;
  const attributes = {
    'http.request.method': 'POST',
    'switchboard.workspace.id': workspaceId,
    'switchboard.webhook.id': id,
    'switchboard.delivery.id': delivery.id,
    'switchboard.attempt': delivery.tries + 1,
  };
  return tracing.deliver(parent, organizationId, 'deliver webhook', { kind: 'client', attributes });
}

function answered(statusCode: number): Attributes {
  const code = { 'http.response.status_code': statusCode };
  return statusCode < 400 ? code : { ...code, ...failure(String(statusCode)) };
}

/** The body, which is the same for every attempt, and the trace of the update. */
async function findBody(
  redis: RedisConnection,
  workspaceId: string,
  { kind, offset, data, createdAt }: Delivery,
): Promise<{ body: string; trace?: string | undefined } | null> {
  const type = JSON.stringify(kind);
  if (data !== undefined)
    return { body: `{"type":${type},"timestamp":"${createdAt}","data":${JSON.stringify(data)}}` };
  const update = await findUpdate(redis, workspaceId, offset);
  if (update === null) return null;
  const body = `{"type":${type},"timestamp":"${timeOf(offset)}","data":${update.json}}`;
  return { body, trace: update.trace };
}
