import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { loadDirectoryScripts } from '../../directory/directory.ts';
import { UPDATE_SCRIPTS } from '../../updates/read-updates.ts';
import { VERSION } from '../../version.ts';
import { WEBHOOK_SCRIPTS } from '../../webhooks/webhook-scripts.ts';
import type { ApiDeps } from '../deps.ts';
import { Readiness, type ReadinessCheck } from '../readiness.ts';
import { failures } from '../records/shapes.ts';

const version = z.string().describe('That of the product, as in the changelog');
const readiness = z.object({
  version,
  status: z.enum(['ready', 'not ready', 'stopping']),
  checks: z.record(z.string(), z.string()).describe('`ok` or what is wrong, by what was checked'),
});

/** `/livez`: the process runs. `/readyz`: it should be sent requests. */
export function addHealthRoutes(app: FastifyInstance, deps: ApiDeps): void {
  const config = { public: true };
  const tags = ['Operation'];
  app.get(
    '/livez',
    {
      config,
      schema: {
        tags,
        operationId: 'isAlive',
        summary: 'Whether the process runs',
        description: 'For the liveness probe of an orchestrator: it asks nothing of Redis.',
        security: [],
        response: {
          200: z.object({ status: z.literal('ok'), version }).describe('It runs'),
          ...failures(400),
        },
      },
    },
    async () => ({ status: 'ok', version: VERSION }),
  );
  const schema = {
    tags,
    operationId: 'isReady',
    summary: 'Whether the process should be sent requests',
    description:
      'For the readiness probe of a load balancer. It is 503 while Redis does not answer or has lost its data, and while the process stops.',
    security: [],
    response: {
      200: readiness.describe('It should'),
      503: readiness.describe('It should not now'),
      ...failures(400),
    },
  };
  const { lifecycle } = deps;
  const state = new Readiness(checksOf(deps), notesOf(deps));
  app.get('/readyz', { config, schema }, async (_request, reply) => {
    const { isReady, checks } = await state.report();
    const ready = isReady && !lifecycle.draining;
    reply.code(ready ? 200 : 503);
    const status = lifecycle.draining ? 'stopping' : ready ? 'ready' : 'not ready';
    return { version: VERSION, status, checks: checks.redis === 'ok' ? checks : markUnknown(checks) };
  });
}

// Without Redis the other checks cannot succeed, so their `ok` is stale.
function markUnknown(checks: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(checks).map(([name, found]) => [name, found === 'ok' ? 'unknown' : found]),
  );
}

// Not a reason to be unready: others have the same Redis and workers, deletions must get through to free memory, reading
// works while Redis takes no writes, and async calls can be accepted without workers.
function notesOf({ memory, workers }: ApiDeps): Record<string, ReadinessCheck> {
  return {
    memory: async () => (memory.isFull ? 'full' : null),
    writes: async () => (memory.refusesWrites ? 'refused' : null),
    workers: async () => (workers.isMissing ? 'none' : null),
  };
}

/** The checks for readiness, by their names under `checks` in the answer. */
function checksOf({ directory: { redis }, data }: ApiDeps): Record<string, ReadinessCheck> {
  return {
    // Loading the scripts shows that Redis answers, and restores those that it has lost.
    redis: async () => {
      const scripts = [...UPDATE_SCRIPTS, ...WEBHOOK_SCRIPTS];
      await Promise.all([loadDirectoryScripts(redis), ...scripts.map((script) => script.load(redis))]);
      return null;
    },
    data: async () => (data.isReported ? 'lost' : null),
  };
}
