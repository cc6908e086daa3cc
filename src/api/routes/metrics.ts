import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ApiDeps } from '../deps.ts';
import { requireScope } from '../plugins/principal.ts';
import { problems } from '../records/shapes.ts';

/** `/metrics`, for Prometheus. It covers all tenants, so only the root key grants its scope. */
export function addMetricsRoute(app: FastifyInstance, { metrics, calls, data, reads }: ApiDeps): void {
  metrics.watchLoad(calls);
  metrics.watchData(data);
  const schema = {
    tags: ['Operation'],
    operationId: 'readMetrics',
    summary: 'Read the metrics of this process',
    description:
      'In the text format of Prometheus. They cover all tenants, so only the root key grants the scope.',
    response: {
      200: {
        description: 'Metrics',
        content: { 'text/plain': { schema: z.string() } },
      },
      ...problems(403, 429),
    },
  };
  app.get('/metrics', { onRequest: requireScope('metrics:read'), schema }, async (request, reply) => {
    reply.header('content-type', metrics.registry.contentType);
    const collect = async () => Buffer.from(await metrics.registry.metrics());
    return reads.run(request, collect, { name: 'metrics' });
  });
}
