import { newIdentity } from '../ids.ts';
import type { UpdateEntry } from '../updates/update-entry.ts';

/** One attempt at a delivery, as its log keeps it. */
export interface DeliveryAttempt {
  at: string;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
}

/** Something that is sent to a webhook, and its state. */
export interface Delivery {
  id: string;
  kind: string;
  /** The update's offset; for a notice, the offset after which it is sent. */
  offset: string;
  messengerAccountId: string | null;
  status: 'queued' | 'succeeded' | 'failed';
  /** The newest attempts, at most twenty. */
  attempts: DeliveryAttempt[];
  /** The number of attempts since it was last queued, without those that came before their time. */
  tries: number;
  nextAttemptAt: string | null;
  createdAt: string;
  settledAt: string | null;
  /** The data of a notice, which is not an update of the stream. */
  data?: Record<string, unknown>;
}

/** A notice that is attempted once, outside all lines, to test a webhook. */
export const PING = 'webhook.ping';

/** A notice that updates were trimmed before they could be sent. */
export const GAP = 'webhook.gap';

/** The line of updates and notices of no messenger account. */
export const COMMON_LINE = '-';

const ATTEMPTS_KEPT = 20;

/** A delivery that has not been tried yet. */
export function newDelivery(
  what: Pick<UpdateEntry, 'kind' | 'offset' | 'messengerAccountId'> & Pick<Delivery, 'data'>,
): Delivery {
  const { kind, offset, messengerAccountId, data } = what;
  const { id, createdAt } = newIdentity('delivery');
  return {
    id,
    kind,
    offset,
    messengerAccountId,
    status: 'queued',
    attempts: [],
    tries: 0,
    nextAttemptAt: createdAt,
    createdAt,
    settledAt: null,
    ...(data === undefined ? {} : { data }),
  };
}

/** The delivery with one more attempt, which `counts` among its tries; its status stays as it is. */
export function withAttempt(delivery: Delivery, attempt: DeliveryAttempt, counts = true): Delivery {
  return {
    ...delivery,
    attempts: [...delivery.attempts, attempt].slice(-ATTEMPTS_KEPT),
    tries: delivery.tries + (counts ? 1 : 0),
  };
}

/** The line of a delivery. The deliveries of a line are sent in the order of the stream. */
export function lineOf({ messengerAccountId }: Pick<Delivery, 'messengerAccountId'>): string {
  return messengerAccountId ?? COMMON_LINE;
}

/** The delivery's member of the sorted set `pending`, which orders by line, then by offset. */
export function pendingMemberOf(delivery: Pick<Delivery, 'id' | 'offset' | 'messengerAccountId'>): string {
  return `${lineOf(delivery)} ${delivery.offset} ${delivery.id}`;
}
