import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod';
import type { MessengerAccount } from '../../directory/collections.ts';
import { maySeeRecord } from '../../directory/principal.ts';
import { findRecord, notFound } from '../../directory/records.ts';
import { IDEMPOTENCY_KEY_MAX } from '../calls/idempotency-key.ts';
import { auditAccounts } from '../control/audit-changes.ts';
import type { ApiDeps } from '../deps.ts';
import { mapConcurrently } from '../limits/map-concurrently.ts';
import { requireScope } from '../plugins/principal.ts';
import { chargeBulk } from '../plugins/rate-limit.ts';
import { ACCOUNTS_AT_ONCE, createMany, failed } from '../records/create-many.ts';
import { deleteTree } from '../records/delete-tree.ts';
import { newAccount, refuseUnknownDrivers, toAccount } from '../records/new-account.ts';
import { getParent } from '../records/parent.ts';
import { messengerAccount, problem, problems } from '../records/shapes.ts';
import { reference, WELL_FORMED } from '../records/texts.ts';

/** The most accounts in one request. */
const ACCOUNTS_MAX = 100;

const created = z.strictObject({
  workspaceId: reference,
  accounts: z
    .array(
      newAccount.omit({ workspaceId: true }).extend({
        idempotencyKey: z
          .string()
          .min(1)
          .max(IDEMPOTENCY_KEY_MAX)
          // Otherwise two keys could be one.
          .refine(...WELL_FORMED)
          .nullable()
          .default(null)
          .describe('For a day the same key in the same workspace gives the same account'),
      }),
    )
    .min(1)
    .max(ACCOUNTS_MAX),
});

const deleted = z.strictObject({ ids: z.array(reference).min(1).max(ACCOUNTS_MAX) });

const status = z.int().describe('The status that the account would have by itself');

const creations = z.object({
  results: z.array(z.object({ status, body: z.union([messengerAccount, problem]) })).max(ACCOUNTS_MAX),
});

const deletions = z.object({
  results: z.array(z.object({ id: z.string(), status, body: problem.nullable() })).max(ACCOUNTS_MAX),
});

/** `/v1/messenger-accounts/bulk` and `/bulk-delete`: up to a hundred accounts in a request, with a result for each. */
export function addBulkAccountRoutes(app: FastifyInstance, deps: ApiDeps): void {
  const { redis } = deps.directory;
  const tags = ['Messenger accounts'];
  const onRequest = requireScope('accounts:write');
  const typed = app.withTypeProvider<ZodTypeProvider>();
  typed.post(
    '/v1/messenger-accounts/bulk',
    {
      onRequest,
      schema: {
        tags,
        operationId: 'createMessengerAccounts',
        summary: `Connect up to ${ACCOUNTS_MAX} messenger accounts to a workspace`,
        description:
          'Each is answered in its place and for itself: `201`, `200` if its `idempotencyKey` has made it before, or why it is not connected. If the request itself is refused, none is; if it fails (`5xx`), repeat it with the same keys. Each counts against the rate limit.',
        body: created,
        response: {
          200: creations.describe('An answer for each account, in their order'),
          ...problems(400, 403, 404, 413, 415, 429),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId, accounts } = request.body;
      const drivers = accounts.map(({ driver }, at) => ({ pointer: `/accounts/${at}/driver`, driver }));
      await refuseUnknownDrivers(deps, drivers);
      const parent = await getParent(redis, request.principal, 'workspaces', workspaceId);
      await chargeBulk(deps, request, reply, accounts.length - 1, '/accounts');
      const wanted = accounts.map(({ idempotencyKey, ...one }) => ({
        account: toAccount(request.principal, parent, one),
        idempotencyKey,
      }));
      const results = await deps.orders.hold(request, parent.organizationId, () =>
        createMany(deps, request, parent, wanted),
      );
      const made = wanted.filter((_, index) => results[index]?.status === 201).map(({ account }) => account);
      await auditAccounts(deps, request, 'create', made);
      return { results };
    },
  );
  typed.post(
    '/v1/messenger-accounts/bulk-delete',
    {
      onRequest,
      schema: {
        tags,
        operationId: 'deleteMessengerAccounts',
        summary: `Delete up to ${ACCOUNTS_MAX} messenger accounts`,
        description:
          'Each is answered in its place and for itself: `204`, or why it is not deleted; one that is gone already is `404`. Each counts against the rate limit.',
        body: deleted,
        response: {
          200: deletions.describe('An answer for each account, in their order'),
          ...problems(400, 403, 413, 415, 429),
        },
      },
    },
    async (request, reply) => {
      const { ids } = request.body;
      await chargeBulk(deps, request, reply, ids.length - 1, '/ids');
      const gone: MessengerAccount[] = [];
      const deleteOne = async (id: string) => {
        const record = await findRecord(redis, 'messenger-accounts', id);
        if (record === null || !maySeeRecord(request.principal, 'messenger-accounts', record))
          throw notFound('messenger-accounts');
        const isDeleted = await deleteTree(deps, request, 'messenger-accounts', record, {
          cascade: null,
          check: null,
        });
        if (!isDeleted) throw notFound('messenger-accounts');
        gone.push(record);
      };
      const results = await mapConcurrently(ids, ACCOUNTS_AT_ONCE, async (id) => {
        const result = await deleteOne(id).then(
          () => ({ status: 204, body: null }),
          (error) => failed(request, error),
        );
        return { id, ...result };
      });
      await auditAccounts(deps, request, 'delete', gone);
      return { results };
    },
  );
}
