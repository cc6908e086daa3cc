import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ApiDeps } from '../deps.ts';
import { requireScope } from '../plugins/principal.ts';
import { problems } from '../shapes.ts';

/** `/metrics`, in the form Prometheus reads. It tells of all tenants together, so its scope comes from the root key only. */
export function addMetricsRoute(app: FastifyInstance, { metrics, calls }: ApiDeps): void {
  metrics.watchLoad(calls);
  const schema = {
    tags: ['Operation'],
    operationId: 'readMetrics',
    summary: 'Metrics for Prometheus',
    response: {
      200: {
        description: 'Metrics',
        content: { 'text/plain': { schema: z.string() } },
      },
      ...problems(403),
    },
  };
  app.get('/metrics', { onRequest: requireScope('metrics:read'), schema }, async (_request, reply) => {
    reply.header('content-type', metrics.registry.contentType);
    return Buffer.from(await metrics.registry.metrics());
  });
}
