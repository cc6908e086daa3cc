import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { MessengerAccount } from '../../directory/collections.ts';
import { deleteRecord } from '../../directory/delete-record.ts';
import { listDrivers } from '../../directory/driver-methods.ts';
import { createRecord, patchRecord } from '../../directory/records.ts';
import { newIdentity } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import type { ApiDeps } from '../deps.ts';
import { requireScope } from '../plugins/principal.ts';
import { locationOf } from '../records/location.ts';
import { checkCap, withOperatorCap } from '../records/operator-cap.ts';
import { getParent } from '../records/parent.ts';
import { maxConcurrentCalls, messengerAccount, name, problems, reference } from '../records/shapes.ts';
import { addListRoute, addRecordRoutes, type RecordRoutes } from './record-routes.ts';

const strictPeers = z
  .boolean()
  .describe('Whether empty peers and wrong access hashes are refused as the messenger does');

const DRIVER_MAX = 64;

const newAccount = z.strictObject({
  name,
  workspaceId: reference,
  driver: z
    .string()
    .min(1)
    .max(DRIVER_MAX)
    .default('sandbox')
    .describe('One that workers serve; `sandbox` is a messenger kept in Redis'),
  bot: z.boolean().default(false),
  strictPeers: strictPeers.default(false),
  maxConcurrentCalls: maxConcurrentCalls.default(null),
});

/** `/v1/messenger-accounts`. */
export function addMessengerAccountRoutes(app: FastifyInstance, deps: ApiDeps): void {
  const routes: RecordRoutes<'messenger-accounts'> = {
    collection: 'messenger-accounts',
    tag: 'Messenger accounts',
    shape: messengerAccount,
    name: 'MessengerAccount',
    read: 'accounts:read',
    write: 'accounts:write',
    patch: z.strictObject({
      name: name.exactOptional(),
      strictPeers: strictPeers.exactOptional(),
      maxConcurrentCalls: maxConcurrentCalls.exactOptional(),
    }),
    mayPatch: checkCap,
    addChanges: withOperatorCap,
    onChange: ({ id }) => deps.directory.accounts.forget(id),
  };
  addListRoute(app, deps, routes, {
    ids: ['workspaceId', 'organizationId'],
    values: {
      status: messengerAccount.shape.status.optional().describe('Only accounts of this status'),
      driver: z
        .string('Give it once')
        .min(1)
        .max(DRIVER_MAX)
        .optional()
        .describe('Only accounts of this driver'),
    },
  });
  addRecordRoutes(app, deps, routes);
  app.withTypeProvider<ZodTypeProvider>().post(
    '/v1/messenger-accounts',
    {
      onRequest: requireScope(routes.write),
      schema: {
        tags: [routes.tag],
        operationId: 'createMessengerAccount',
        summary: 'Connect a messenger account to a workspace',
        description:
          'Its driver seeds it before the answer: an account of the `sandbox` has chats, channels and messages to try.',
        body: newAccount,
        response: {
          201: messengerAccount,
          ...problems(400, 403, 404, 409, 413, 415, 429),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId, ...wanted } = request.body;
      await refuseUnknownDriver(deps, wanted.driver);
      const parent = await getParent(deps.directory.redis, request.principal, 'workspaces', workspaceId);
      const account: MessengerAccount = {
        ...newIdentity('messengerAccount'),
        workspaceId: parent.id,
        organizationId: parent.organizationId,
        ...wanted,
        operatorCap: request.principal.kind === 'root' ? wanted.maxConcurrentCalls : null,
        status: 'connecting',
        userId: null,
        username: null,
        phone: null,
        lane: 'shared',
        faults: false,
      };
      const record = await deps.orders.run(request, account, (signal) =>
        connectAccount(deps, account, signal),
      );
      const location = locationOf(deps.config, 'messenger-accounts', record.id);
      return reply.code(201).header('location', location).send(record);
    },
  );
}

// Where no worker has run yet, one may be starting.
async function refuseUnknownDriver({ directory }: ApiDeps, driver: string): Promise<void> {
  const served = await listDrivers(directory.redis);
  if (served.length === 0 || served.includes(driver)) return;
  const detail = `Must be a driver that workers serve: ${served.join(', ')}.`;
  throw new Problem('invalid_body', { errors: [{ pointer: '/driver', detail }] });
}

/** Records an account, lets its driver seed it, and records the result. A failure leaves no account. */
async function connectAccount(
  { directory, accountControl, config, log }: ApiDeps,
  account: MessengerAccount,
  signal: AbortSignal,
): Promise<MessengerAccount> {
  const { redis, accounts } = directory;
  await createRecord(redis, 'messenger-accounts', account, {
    most: [undefined, undefined, config.ACCOUNTS_PER_WORKSPACE],
  });
  try {
    const { userId, username, phone } = await accountControl.connectAccount(account, signal);
    const seeded = { status: 'active', userId, username, phone } as const;
    return await patchRecord(redis, 'messenger-accounts', account.id, seeded);
  } catch (error) {
    await deleteRecord(redis, 'messenger-accounts', account).catch((err) => {
      log.warn({ err, accountId: account.id }, 'account that could not be connected is still recorded');
    });
    throw error;
  } finally {
    accounts.forget(account.id);
  }
}
