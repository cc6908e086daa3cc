import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod';
import { refuseIfFull } from '../../bytes/byte-budget.ts';
import type { Webhook } from '../../directory/collections.ts';
import { makersBy } from '../../directory/principal.ts';
import { createRecord, patchRecord } from '../../directory/records.ts';
import { isId, newIdentity } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import { TaskGate } from '../../task-gate.ts';
import { isUpdateKind, refusalOfKind } from '../../tl/update-kinds.ts';
import { readUpdates } from '../../updates/read-updates.ts';
import { URL_MAX } from '../../webhooks/bounds.ts';
import { type HostAsker, HostLookups } from '../../webhooks/host-lookups.ts';
import { endPause, eraseLines, openLines, resetFailures } from '../../webhooks/line-keys.ts';
import { requestWake } from '../../webhooks/request-wake.ts';
import { newSigningSecret, rotateSecrets } from '../../webhooks/signing-secrets.ts';
import { findTargetFault } from '../../webhooks/target.ts';
import type { ApiDeps } from '../deps.ts';
import { readerOf } from '../limits/reads.ts';
import { readmitLate, requireScope } from '../plugins/principal.ts';
import { requireChangeable, requireRecord } from '../plugins/require-record.ts';
import { locationOf } from '../records/location.ts';
import { getParent } from '../records/parent.ts';
import { newWebhook, problems, webhook } from '../records/shapes.ts';
import { note, reference } from '../records/texts.ts';
import { callerSignal } from '../server/caller-signal.ts';
import { refuseBody } from '../server/refuse-body.ts';
import { addListRoute, addRecordRoutes, type RecordRoutes } from './record-routes.ts';

const NAMES_MAX = 100;
const NAME_MAX = 100;
const LOOKUP_MS = 3_000;

// About five commands to Redis follow each look-up, and all look-ups at a name server that hangs end at the same moment.
const WRITTEN_AT_ONCE = 4;

const routes = {
  collection: 'webhooks',
  tag: 'Webhooks',
  shape: webhook,
  name: 'Webhook',
  read: 'webhooks:read',
  write: 'webhooks:write',
} as const;

const unique = (names: string[]) => [...new Set(names)];

const url = z.string().min(1).max(URL_MAX).describe('An https: address on the public Internet');
const kinds = filterOf(z.string().max(NAME_MAX), 'Only updates of these kinds', refuseUnknownKind);
const messengerAccountIds = filterOf(
  z
    .string()
    .max(NAME_MAX)
    .refine((id) => isId('messengerAccount', id), 'This is no id of a messenger account'),
  'Only updates of these messenger accounts of the workspace',
);
const description = note(500).nullable().describe('For people');
const status = z.enum(['enabled', 'disabled']);

/** `/v1/webhooks`: where updates are sent. */
export function addWebhookRoutes(app: FastifyInstance, deps: ApiDeps): void {
  const { redis, box } = deps.directory;
  const readmit = readmitLate(deps.directory);
  const hosts = new HostLookups({ servers: deps.config.WEBHOOK_DNS_SERVERS, timeoutMs: LOOKUP_MS });
  const writing = new TaskGate({
    atOnce: WRITTEN_AT_ONCE,
    perKey: WRITTEN_AT_ONCE,
    waitingPerKey: Number.POSITIVE_INFINITY,
  });
  const inTurn = <T>(
    request: FastifyRequest,
    { workspaceId }: Pick<Webhook, 'workspaceId'>,
    write: () => Promise<T>,
  ) => {
    const { tenant } = readerOf(request.principal);
    return writing.run({ tenant, key: workspaceId, signal: callerSignal(request) }, write);
  };
  // The change before it was made, and is answered, whatever fails here.
  const wake = (webhook: Webhook) =>
    requestWake(redis, deps.webhooks, webhook, { aside: true }).catch((err) =>
      deps.log.warn({ err, webhookId: webhook.id }, 'deliveries that could be sent now go by their schedule'),
    );
  const recordRoutes: RecordRoutes<'webhooks'> = {
    ...routes,
    patch: z.strictObject({
      url: url.exactOptional(),
      kinds: kinds.exactOptional(),
      messengerAccountIds: messengerAccountIds.exactOptional(),
      description: description.exactOptional(),
      status: status.exactOptional(),
    }),
    inTurn,
    async prepare(record, changes) {
      await checkWanted(deps, hosts, record, changes);
      return { ...changes, ...(changes.url === undefined ? {} : { url: new URL(changes.url).href }) };
    },
    // A worker may have disabled it since the request read it.
    async complete(found, changes) {
      const { status, url } = changes;
      const isSwitched = status !== undefined && status !== found.status;
      const isMoved = url !== undefined && url !== found.url;
      // Before the change: a new address must not be disabled for what the one before has failed.
      if (isMoved || (isSwitched && status === 'enabled')) await resetFailures(redis, found);
      return isSwitched ? { ...changes, ...switched(status) } : changes;
    },
    // Deliveries that waited for the old address or for the webhook to be enabled are due now. Others wait as their receiver has asked.
    async onChange(record, { url, status }) {
      if (url === undefined && status !== 'enabled') return;
      // After the change, for until then the old address may have asked for one.
      await endPause(redis, record);
      await wake(record);
    },
  };
  addListRoute(app, deps, recordRoutes, {
    ids: ['workspaceId', 'organizationId'],
    values: { status: webhook.shape.status.optional().describe('Only webhooks of this status') },
  });
  addRecordRoutes(app, deps, recordRoutes);

  app.withTypeProvider<ZodTypeProvider>().post(
    '/v1/webhooks',
    {
      onRequest: requireScope(routes.write),
      schema: {
        tags: [routes.tag],
        operationId: 'createWebhook',
        summary: 'Create a webhook',
        description:
          'It is sent what lies behind the `Stream-Next-Offset` of the answer. Its secret is in this one answer only.',
        body: z.strictObject({
          workspaceId: reference,
          url,
          kinds: kinds.optional(),
          messengerAccountIds: messengerAccountIds.optional(),
          description: description.optional(),
        }),
        response: { 201: newWebhook, ...problems(400, 403, 404, 409, 413, 415, 507) },
      },
    },
    async (request, reply) => {
      const wanted = request.body;
      const parent = await getParent(redis, request.principal, 'workspaces', wanted.workspaceId);
      const owner = { workspaceId: parent.id, organizationId: parent.organizationId };
      await checkWanted(deps, hosts, owner, wanted);
      return inTurn(request, owner, async () => {
        await refuseIfFull(redis, parent.id);
        const identity = newIdentity('webhook');
        const { id } = identity;
        const secret = newSigningSecret();
        const record: Webhook = {
          ...identity,
          ...owner,
          url: new URL(wanted.url).href,
          kinds: wanted.kinds ?? null,
          messengerAccountIds: wanted.messengerAccountIds ?? null,
          description: wanted.description ?? null,
          ...switched('enabled'),
          gap: null,
          ...makersBy(request.principal),
          secrets: [{ sealed: box.seal(id, secret), until: null }],
        };
        const { next: position } = await readUpdates(redis, parent.id, 'end');
        await openLines(redis, record, position);
        try {
          await createRecord(redis, 'webhooks', record, {
            limits: [undefined, undefined, deps.config.WEBHOOKS_PER_WORKSPACE],
          });
        } catch (error) {
          // If it is certain that nothing was written, nothing may remain; otherwise the lines must stay.
          if (error instanceof Problem) await eraseLines(redis, record);
          throw error;
        }
        const location = locationOf(deps.config, 'webhooks', id);
        reply.code(201).headers({ location, 'cache-control': 'no-store', 'stream-next-offset': position });
        return { ...record, secret };
      });
    },
  );

  app.post(
    '/v1/webhooks/:id/rotate-secret',
    {
      onRequest: [
        requireRecord(deps.directory, 'webhooks'),
        requireScope(routes.write),
        requireChangeable('webhooks'),
      ],
      schema: {
        tags: [routes.tag],
        operationId: 'rotateWebhookSecret',
        summary: 'Give a webhook a new secret',
        description: 'It is in this one answer only. For 24 hours the one before signs too.',
        response: { 200: newWebhook, ...problems(400, 403, 404, 413, 415) },
      },
    },
    async (request, reply) => {
      refuseBody(request);
      const { id } = request.record;
      const secret = newSigningSecret();
      const since = performance.now();
      const rotate = async () => {
        await readmit(request, since);
        return patchRecord(redis, 'webhooks', id, ({ secrets }) => ({
          secrets: rotateSecrets(secrets, box.seal(id, secret)),
        }));
      };
      const record = await inTurn(request, request.record as Webhook, rotate);
      // What waits for a secret that workers can open may be sent now. The new secret is in this answer only.
      await wake(record);
      reply.header('cache-control', 'no-store');
      return { ...record, secret };
    },
  );
}

function switched(status: 'enabled' | 'disabled') {
  return status === 'enabled'
    ? ({ status, disabledReason: null, disabledAt: null } as const)
    : ({ status, disabledReason: 'requested', disabledAt: new Date().toISOString() } as const);
}

async function checkWanted(
  { directory, config }: ApiDeps,
  hosts: HostLookups,
  asker: HostAsker,
  { url, messengerAccountIds }: { url?: string; messengerAccountIds?: string[] | null | undefined },
): Promise<void> {
  const { workspaceId } = asker;
  const rules = {
    allowPrivate: config.WEBHOOKS_ALLOW_PRIVATE,
    lookUp: (hostname: string) => hosts.find(asker, hostname),
  };
  const fault = url === undefined ? null : await findTargetFault(url, rules);
  const ids = messengerAccountIds ?? [];
  const accounts = await Promise.all(ids.map((id) => directory.accounts.find(workspaceId, id)));
  const errors = [
    ...(fault === null ? [] : [{ pointer: '/url', detail: fault }]),
    ...ids.flatMap((_, index) =>
      accounts[index] === null
        ? [
            {
              pointer: `/messengerAccountIds/${index}`,
              detail: 'The workspace has no messenger account with that id.',
            },
          ]
        : [],
    ),
  ];
  if (errors.length > 0) throw new Problem('invalid_body', { errors });
}

// Only the first one: to look for the kind that was meant takes time.
function refuseUnknownKind({ value: kinds, issues }: z.core.ParsePayload<string[]>): void {
  const index = kinds.findIndex((kind) => !isUpdateKind(kind));
  const kind = kinds[index];
  if (kind === undefined) return;
  issues.push({ code: 'custom', input: kind, path: [index], message: refusalOfKind(kind) });
}

function filterOf(name: z.ZodString, description: string, check: z.core.CheckFn<string[]> = () => undefined) {
  return z
    .array(name)
    .min(1, 'Name at least one, or give null for all')
    .max(NAMES_MAX)
    .check(check)
    .transform(unique)
    .nullable()
    .meta({
      type: ['array', 'null'],
      items: { type: 'string', maxLength: NAME_MAX },
      maxItems: NAMES_MAX,
      description,
    });
}
