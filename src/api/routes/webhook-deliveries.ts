import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Webhook } from '../../directory/collections.ts';
import { missingId } from '../../directory/records.ts';
import { Problem } from '../../problem.ts';
import { readUpdates } from '../../updates/read-updates.ts';
import { addPing } from '../../webhooks/add-ping.ts';
import { type Delivery, lineOf, newDelivery, PING } from '../../webhooks/delivery.ts';
import { findDelivery } from '../../webhooks/find-delivery.ts';
import { endPause } from '../../webhooks/line-keys.ts';
import { requestWake } from '../../webhooks/request-wake.ts';
import { makeDueNow, requeueDelivery, requeueFailed } from '../../webhooks/requeue-deliveries.ts';
import type { ApiDeps } from '../deps.ts';
import { OneAtATime } from '../limits/one-at-a-time.ts';
import { deliveriesQuery, listDeliveries } from '../lists/delivery-list.ts';
import { linkPages } from '../lists/page-links.ts';
import { requireScope } from '../plugins/principal.ts';
import { requireChangeable, requireRecord } from '../plugins/require-record.ts';
import { locationOf } from '../records/location.ts';
import { delivery, pageOf, problems } from '../records/shapes.ts';
import { refuseBody } from '../server/refuse-body.ts';

const sinceBody = z.strictObject({
  since: z.iso
    .datetime({ offset: true })
    .describe('Deliveries that failed at or after this time are queued again'),
});

/** The deliveries of a webhook, and how to retry them. */
export function addWebhookDeliveryRoutes(app: FastifyInstance, deps: ApiDeps): void {
  const { reads } = deps;
  const { redis } = deps.directory;
  const find = requireRecord(deps.directory, 'webhooks');
  const mayRead = [find, requireScope('webhooks:read')];
  const mayWrite = [find, requireScope('webhooks:write'), requireChangeable('webhooks')];
  const tags = ['Webhooks'];
  const base = '/v1/webhooks/:id';
  const recoveries = new OneAtATime();
  const deliveryLocation = (webhook: Webhook, { id }: Delivery) =>
    `${locationOf(deps.config, 'webhooks', webhook.id)}/deliveries/${id}`;

  app.get(
    `${base}/deliveries`,
    {
      onRequest: mayRead,
      schema: {
        tags,
        operationId: 'listWebhookDeliveries',
        summary: 'List the deliveries of a webhook',
        description:
          'Its deliveries, the oldest first unless `sort` says otherwise; ended ones are kept for five days. `status=failed` with `settledAfter` lists what failed since. For a page, a filter by account, or by status in the order of `settledAt`, looks at no more than 1,000 deliveries and 1 MiB: then `partial` says that the search goes on with the next page.',
        querystring: deliveriesQuery,
        response: { 200: pageOf(delivery, 'DeliveryPage'), ...problems(400, 403, 404, 429) },
      },
    },
    async (request, reply) => {
      const webhook = webhookOf(request);
      const query = request.query as z.output<typeof deliveriesQuery>;
      const page = await listDeliveries(deps, webhook, query, reads.runnerOf(request));
      linkPages(deps.config, request, reply, page);
      return page;
    },
  );

  app.get(
    `${base}/deliveries/:deliveryId`,
    {
      onRequest: mayRead,
      schema: {
        tags,
        operationId: 'getWebhookDelivery',
        summary: 'Get one delivery',
        description: 'Its attempts with their statuses and durations, and when the next one is due.',
        response: { 200: delivery, ...problems(403, 404) },
      },
    },
    (request) => getDelivery(request),
  );

  app.post(
    `${base}/ping`,
    {
      onRequest: mayWrite,
      schema: {
        tags,
        operationId: 'pingWebhook',
        summary: 'Send a ping to a webhook',
        description:
          'A `webhook.ping` is sent once, also to a webhook that is disabled; its delivery tells how it went. If a ping still waits, the answer is that one, and no second one is queued.',
        response: { 202: delivery, ...problems(400, 403, 404, 409, 413, 415, 507) },
      },
    },
    async (request, reply) => {
      refuseBody(request);
      const webhook = webhookOf(request);
      const { id: webhookId, workspaceId } = webhook;
      const offset = (await readUpdates(redis, workspaceId, 'end')).next;
      const wanted = newDelivery({
        kind: PING,
        offset,
        messengerAccountId: null,
        data: { webhookId, workspaceId },
      });
      const ping = await addPing(redis, webhook, wanted);
      // Also for one that waits: its job may have been lost, and is added once.
      await deps.webhooks.add({ what: 'delivery', workspaceId, webhookId, deliveryId: ping.id });
      return reply.code(202).header('location', deliveryLocation(webhook, ping)).send(ping);
    },
  );

  app.post(
    `${base}/deliveries/:deliveryId/resend`,
    {
      onRequest: mayWrite,
      schema: {
        tags,
        operationId: 'resendWebhookDelivery',
        summary: 'Send a delivery again, or at once if it is still queued',
        description:
          'It is queued with the same header `webhook-id`, so that the receiver can tell that it is a repeat.',
        response: { 202: delivery, ...problems(400, 403, 404, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      refuseBody(request);
      const webhook = webhookOf(request);
      refuseDisabled(webhook);
      const found = await getDelivery(request);
      const queued = (await requeueDelivery(redis, webhook, found)) ?? (await getDelivery(request));
      await tryNow(webhook, queued);
      return reply.code(202).header('location', deliveryLocation(webhook, queued)).send(queued);
    },
  );

  app.post(
    `${base}/recover`,
    {
      onRequest: mayWrite,
      schema: {
        tags,
        operationId: 'recoverWebhook',
        summary: 'Recover a webhook',
        description:
          'Deliveries that failed since a time are queued again, and all queued ones are sent at once: for a receiver that works again. If you do not wait for the answer, a part may not be queued: ask again.',
        body: sinceBody,
        response: {
          202: z
            .object({ requeued: z.int().describe('How many failed deliveries were queued again') })
            .meta({ id: 'WebhookRecovery' }),
          ...problems(400, 403, 404, 409, 413, 415),
        },
      },
    },
    async (request, reply) => {
      const webhook = webhookOf(request);
      refuseDisabled(webhook);
      const { since } = request.body as z.output<typeof sinceBody>;
      const requeued = await recoveries.run(webhook.workspaceId, async () => {
        try {
          const recovery = { reads: reads.redis, run: reads.runnerOf(request) };
          return await requeueFailed(redis, webhook, Date.parse(since), recovery);
        } finally {
          // If it fails, a part may be queued.
          await endPause(redis, webhook);
          await requestWake(redis, deps.webhooks, webhook, { aside: true });
        }
      });
      return reply.code(202).send({ requeued });
    },
  );

  async function getDelivery(request: FastifyRequest): Promise<Delivery> {
    const { deliveryId } = request.params as { deliveryId: string };
    const found = await findDelivery(redis, webhookOf(request), deliveryId);
    if (found !== null) return found;
    const detail = missingId('delivery', 'delivery', 'webhooks/{id}/deliveries');
    throw new Problem('not_found', { detail });
  }

  async function tryNow(webhook: Webhook, wanted: Delivery): Promise<void> {
    const { id: webhookId, workspaceId } = webhook;
    const { id: deliveryId } = wanted;
    const isAside = await makeDueNow(redis, webhook, wanted);
    await deps.webhooks.hurry(
      isAside
        ? { what: 'delivery', workspaceId, webhookId, deliveryId }
        : { what: 'line', workspaceId, webhookId, line: lineOf(wanted) },
    );
  }
}

function webhookOf(request: FastifyRequest): Webhook {
  return request.record as Webhook;
}

function refuseDisabled({ status }: Webhook): void {
  if (status === 'disabled')
    throw new Problem('conflict', { detail: 'The webhook is disabled: enable it first.' });
}
