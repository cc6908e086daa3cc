import * as z from 'zod';
import type { Webhook } from '../../directory/collections.ts';
import { type RunRead, sourceOf } from '../../directory/lists.ts';
import { type Page, readPage } from '../../directory/page.ts';
import type { Delivery } from '../../webhooks/delivery.ts';
import { lineKey } from '../../webhooks/line-keys.ts';
import type { ApiDeps } from '../deps.ts';
import { orderOf } from './list-order.ts';
import { idFilter, listQuery, pageRequest, rangeOf, sortOf } from './list-query.ts';

const settledRange = rangeOf('settledAt');
const STATUSES = ['queued', 'succeeded', 'failed'] as const;

/** The query of the list of a webhook's deliveries. */
export const deliveriesQuery = listQuery.extend({
  sort: sortOf('settledAt'),
  settledAfter: settledRange.after,
  settledBefore: settledRange.before,
  status: z
    .enum(STATUSES, `One of ${STATUSES.join(', ')} is needed, once`)
    .optional()
    .describe('Only deliveries with this status'),
  messengerAccountId: idFilter.describe('Only deliveries of updates of this account'),
});

/** One page of the deliveries of a webhook. */
export function listDeliveries(
  { directory, reads }: Pick<ApiDeps, 'directory' | 'reads'>,
  webhook: Webhook,
  query: z.output<typeof deliveriesQuery>,
  runRead: RunRead,
): Promise<Page<Delivery>> {
  const { status, messengerAccountId: accountId, settledAfter, settledBefore } = query;
  const openStatus = status === 'queued' ? status : undefined;
  const ended = { member: 'settledAt', after: settledAfter, before: settledBefore, openStatus };
  const { by, orderName, ...order } = orderOf('delivery', query, ended);
  const shown = status ?? 'all';
  const keys = [lineKey(webhook, by === 'id' ? `log:${shown}` : 'settled')];
  const sets = { keys, by, records: lineKey(webhook, 'deliveries') };
  const source = sourceOf(reads.redis, sets, (text): Delivery => JSON.parse(text), runRead);
  const isSearch = accountId !== undefined || (by === 'time' && status !== undefined);
  const matches = (one: Delivery) =>
    (status === undefined || one.status === status) &&
    (accountId === undefined || one.messengerAccountId === accountId);
  const accountPart = accountId === undefined ? '' : `\0${accountId}`;
  // Leave the order by id out of the name: earlier releases had only that order and did not name it, and their cursors must stay valid.
  const orderPart = orderName === 'id' ? '' : `\0${orderName}`;
  const name = `deliveries\0${webhook.id}\0${shown}${accountPart}${orderPart}`;
  return readPage(
    directory.cursors,
    { ...order, name },
    source,
    pageRequest(query),
    isSearch ? matches : null,
  );
}
