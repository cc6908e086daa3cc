import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod';
import type { ApiDeps } from '../deps.ts';
import { requireScope } from '../plugins/principal.ts';
import { connectAccount } from '../records/connect-account.ts';
import { locationOf } from '../records/location.ts';
import {
  DRIVER_MAX,
  newAccount,
  refuseUnknownDrivers,
  strictPeers,
  toAccount,
} from '../records/new-account.ts';
import { checkCap, withOperatorCap } from '../records/operator-cap.ts';
import { getParent } from '../records/parent.ts';
import { maxConcurrentCalls, messengerAccount, orderProblems } from '../records/shapes.ts';
import { name } from '../records/texts.ts';
import { addListRoute, addRecordRoutes, type RecordRoutes } from './record-routes.ts';

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
          ...orderProblems(400, 403, 404, 409, 413, 415, 429, 507),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId, ...wanted } = request.body;
      await refuseUnknownDrivers(deps, [{ pointer: '/driver', driver: wanted.driver }]);
      const parent = await getParent(deps.directory.redis, request.principal, 'workspaces', workspaceId);
      const account = toAccount(request.principal, parent, wanted);
      const record = await deps.orders.run(request, account, (signal) =>
        connectAccount(deps, account, signal),
      );
      const location = locationOf(deps.config, 'messenger-accounts', record.id);
      return reply.code(201).header('location', location).send(record);
    },
  );
}
