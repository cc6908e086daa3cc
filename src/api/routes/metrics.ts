import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { requireScope } from '../plugins/principal.ts';

/** `/metrics`, in the form Prometheus reads. It tells of all tenants together, so its scope comes from the root key only. */
export function addMetricsRoute(app: FastifyInstance, { metrics, calls }: ApiDeps): void {
  metrics.watchLoad(calls);
  const schema = { tags: ['Operation'], summary: 'Metrics for Prometheus' };
  app.get('/metrics', { onRequest: requireScope('metrics:read'), schema }, async (_request, reply) => {
    reply.header('content-type', metrics.registry.contentType);
    return metrics.registry.metrics();
  });
}
