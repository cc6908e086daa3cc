import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { newId } from '../../ids.ts';
import { DEFAULT_WEIGHT } from '../../store/collections.ts';
import { createRecord } from '../../store/records.ts';
import type { ApiDeps } from '../deps.ts';
import { locationOf } from '../location.ts';
import { getParent } from '../parent.ts';
import { requireScope } from '../plugins/principal.ts';
import { maxConcurrentCalls, name, problems, reference, weight, workspace } from '../shapes.ts';
import { addListRoute, addRecordRoutes, checkRootMembers, type RecordRoutes } from './record-routes.ts';

const routes: RecordRoutes<'workspaces'> = {
  collection: 'workspaces',
  tag: 'Workspaces',
  shape: workspace,
  name: 'Workspace',
  read: 'workspaces:read',
  write: 'workspaces:write',
  patch: z.strictObject({
    name: name.exactOptional(),
    weight: weight.exactOptional(),
    maxConcurrentCalls: maxConcurrentCalls.exactOptional(),
  }),
  rootMembers: ['weight'],
};

/** `/v1/workspaces`. */
export function addWorkspaceRoutes(app: FastifyInstance, deps: ApiDeps): void {
  addListRoute(app, deps, routes, 'organizationId');
  addRecordRoutes(app, deps, routes);
  app.withTypeProvider<ZodTypeProvider>().post(
    '/v1/workspaces',
    {
      onRequest: requireScope(routes.write),
      schema: {
        tags: [routes.tag],
        operationId: 'createWorkspace',
        summary: 'Create a workspace',
        body: z.strictObject({
          name,
          organizationId: reference,
          weight: weight.exactOptional(),
          maxConcurrentCalls: maxConcurrentCalls.default(null),
        }),
        response: { 201: workspace, ...problems(400, 403, 404, 413, 415) },
      },
    },
    async (request, reply) => {
      const { redis } = deps.directory;
      checkRootMembers(request.principal, request.body, ['weight']);
      const parent = await getParent(redis, request.principal, 'organizations', request.body.organizationId);
      const record = {
        id: newId('workspace'),
        name: request.body.name,
        organizationId: parent.id,
        weight: request.body.weight ?? DEFAULT_WEIGHT,
        maxConcurrentCalls: request.body.maxConcurrentCalls,
        createdAt: new Date().toISOString(),
      };
      await createRecord(redis, 'workspaces', record);
      return reply
        .code(201)
        .header('location', locationOf(deps.config, 'workspaces', record.id))
        .send(record);
    },
  );
}
