import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { atMostEvery } from '../../at-most-every.ts';
import type { ApiDeps } from '../deps.ts';
import { addFleetGauges } from '../fleet-gauges.ts';
import { requireScope } from '../plugins/principal.ts';
import { problems } from '../records/shapes.ts';

// Metrics are collected at most this often, however many scrapers ask.
const SCRAPE_MS = 1_000;

/** `/metrics`, for Prometheus. It covers all tenants, so only the root key grants its scope. */
export function addMetricsRoute(app: FastifyInstance, deps: ApiDeps): void {
  const { metrics, calls, reads } = deps;
  metrics.addLoad(calls);
  addFleetGauges(metrics.registry, deps);
  const collect = atMostEvery(SCRAPE_MS, async () => Buffer.from(await metrics.collect()));
  const schema = {
    tags: ['Operation'],
    operationId: 'readMetrics',
    summary: 'Read the metrics of the processes at this address',
    description:
      'In the text format of Prometheus, collected at most once a second. Of processes that share a port whichever answers gives the metrics of all, each with its number as the label `process`. They cover all tenants, so only the root key grants the scope.',
    response: {
      200: {
        description: 'Metrics',
        content: { 'text/plain': { schema: z.string() } },
      },
      ...problems(403, 429),
    },
  };
  // While Redis is away, operators need them most.
  const config = { outlivesRedis: true };
  app.get('/metrics', { config, onRequest: requireScope('metrics:read'), schema }, async (request, reply) => {
    reply.header('content-type', metrics.registry.contentType);
    return reads.run(request, collect, { name: 'metrics' });
  });
}
