import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod';
import { createRecord } from '../../directory/records.ts';
import { newIdentity } from '../../ids.ts';
import type { ApiDeps } from '../deps.ts';
import { requireRoot } from '../plugins/principal.ts';
import { locationOf } from '../records/location.ts';
import { organization, problems } from '../records/shapes.ts';
import { name } from '../records/texts.ts';
import { addListRoute, addRecordRoutes, type RecordRoutes } from './record-routes.ts';

const routes: RecordRoutes<'organizations'> = {
  collection: 'organizations',
  tag: 'Organizations',
  shape: organization,
  name: 'Organization',
  read: 'organizations:read',
  write: 'organizations:write',
  patch: z.strictObject({ name: name.exactOptional() }),
};

/** `/v1/organizations`. Only the root key creates them. */
export function addOrganizationRoutes(app: FastifyInstance, deps: ApiDeps): void {
  addListRoute(app, deps, routes, {});
  addRecordRoutes(app, deps, routes);
  app.withTypeProvider<ZodTypeProvider>().post(
    '/v1/organizations',
    {
      onRequest: requireRoot,
      schema: {
        tags: [routes.tag],
        operationId: 'createOrganization',
        summary: 'Create an organization',
        description: 'Only the root key may. Everything else belongs to an organization.',
        body: z.strictObject({ name }),
        response: { 201: organization, ...problems(400, 403, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      const record = { ...newIdentity('organization'), name: request.body.name };
      await createRecord(deps.directory.redis, 'organizations', record, {
        limits: [deps.config.ORGANIZATIONS_MAX],
      });
      return reply
        .code(201)
        .header('location', locationOf(deps.config, 'organizations', record.id))
        .send(record);
    },
  );
}
