import type { FastifyInstance } from 'fastify';
import type { RedisConnection } from '../../redis/connections.ts';
import { loadDirectoryScripts } from '../../store/directory.ts';
import { UPDATE_SCRIPTS } from '../../updates/read-updates.ts';
import { WEBHOOK_SCRIPTS } from '../../webhooks/webhook-scripts.ts';
import type { ApiDeps } from '../deps.ts';

const REDIS_PATIENCE_MS = 1_000;

/** `/livez` says that the process runs, `/readyz` whether it should be sent requests. */
export function addHealthRoutes(app: FastifyInstance, { directory, lifecycle }: ApiDeps): void {
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
        security: [],
      },
    },
    async () => ({ status: 'ok' }),
  );
  const schema = {
    tags,
    operationId: 'isReady',
    summary: 'Whether the process should be sent requests',
    security: [],
  };
  app.get('/readyz', { config, schema }, async (_request, reply) => {
    const redis = await isWithin(REDIS_PATIENCE_MS, loadScripts(directory.redis));
    const ready = redis && !lifecycle.draining;
    reply.code(ready ? 200 : 503);
    const status = lifecycle.draining ? 'stopping' : ready ? 'ready' : 'not ready';
    return { status, checks: { redis: redis ? 'ok' : 'unreachable' } };
  });
}

async function loadScripts(redis: RedisConnection): Promise<void> {
  const scripts = [...UPDATE_SCRIPTS, ...WEBHOOK_SCRIPTS];
  await Promise.all([loadDirectoryScripts(redis), ...scripts.map((script) => script.load(redis))]);
}

async function isWithin(limitMs: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, limitMs, false);
  });
  const done = work.then(
    () => true,
    () => false,
  );
  const answer = await Promise.race([done, late]);
  clearTimeout(timer);
  return answer;
}
