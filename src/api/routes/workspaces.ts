import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod';
import { readBytesUsed, setByteBudget } from '../../bytes/byte-budget.ts';
import { DEFAULT_WEIGHT } from '../../directory/collections.ts';
import { createRecord } from '../../directory/records.ts';
import { newIdentity } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import { withMembers } from '../../with-members.ts';
import type { ApiDeps } from '../deps.ts';
import { requireScope } from '../plugins/principal.ts';
import { applyByteBudget } from '../records/apply-byte-budget.ts';
import { locationOf } from '../records/location.ts';
import { checkCap, withOperatorCap } from '../records/operator-cap.ts';
import { getParent } from '../records/parent.ts';
import { bytesMax, maxConcurrentCalls, problems, weight, workspace } from '../records/shapes.ts';
import { name, reference } from '../records/texts.ts';
import { addListRoute, addRecordRoutes, checkRootMembers, type RecordRoutes } from './record-routes.ts';

const rootMembers = ['weight', 'bytesMax'] as const;

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
    bytesMax: bytesMax.exactOptional(),
  }),
  rootMembers,
  mayPatch: checkCap,
  addChanges: withOperatorCap,
};

/** `/v1/workspaces`. */
export function addWorkspaceRoutes(app: FastifyInstance, deps: ApiDeps): void {
  const { redis } = deps.directory;
  const shown: RecordRoutes<'workspaces'> = {
    ...routes,
    // Otherwise a tenant's change could set again what it has read, and the operator has changed meanwhile.
    onChange: ({ id }, changes) => (changes.bytesMax === undefined ? null : applyByteBudget(redis, id)),
    async show(records) {
      const used = await readBytesUsed(
        redis,
        records.map(({ id }) => id),
      );
      return records.map((record, index) => withMembers(record, { bytesUsed: used[index] ?? 0 }));
    },
  };
  addListRoute(app, deps, shown, { ids: ['organizationId'] });
  addRecordRoutes(app, deps, shown);
  app.withTypeProvider<ZodTypeProvider>().post(
    '/v1/workspaces',
    {
      onRequest: requireScope(routes.write),
      schema: {
        tags: [routes.tag],
        operationId: 'createWorkspace',
        summary: 'Create a workspace',
        description: 'The unit of fairness, of transaction numbers and of the update stream.',
        body: z.strictObject({
          name,
          organizationId: reference,
          weight: weight.exactOptional(),
          maxConcurrentCalls: maxConcurrentCalls.default(null),
          bytesMax: bytesMax.exactOptional(),
        }),
        response: { 201: workspace, ...problems(400, 403, 404, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      checkRootMembers(request.principal, request.body, rootMembers);
      const parent = await getParent(redis, request.principal, 'organizations', request.body.organizationId);
      const record = {
        ...newIdentity('workspace'),
        name: request.body.name,
        organizationId: parent.id,
        weight: request.body.weight ?? DEFAULT_WEIGHT,
        maxConcurrentCalls: request.body.maxConcurrentCalls,
        operatorCap: request.principal.kind === 'root' ? request.body.maxConcurrentCalls : null,
        bytesMax: request.body.bytesMax ?? null,
        keysNoted: true,
      };
      // First, so that the workspace is never used without its budget.
      if (record.bytesMax !== null) await setByteBudget(redis, record.id, record.bytesMax);
      const { WORKSPACES_PER_ORGANIZATION, WORKSPACE_BYTES_MAX: remainsEach } = deps.config;
      const limits = [undefined, WORKSPACES_PER_ORGANIZATION];
      await createRecord(redis, 'workspaces', record, { limits, remainsEach }).catch(async (error) => {
        // If it is certain that nothing was written, nothing may remain.
        if (record.bytesMax !== null && error instanceof Problem) await setByteBudget(redis, record.id, null);
        throw error;
      });
      return reply
        .code(201)
        .header('location', locationOf(deps.config, 'workspaces', record.id))
        .send({ ...record, bytesUsed: 0 });
    },
  );
}
