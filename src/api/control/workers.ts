import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod';
import { appendAudit } from '../../control/audit.ts';
import { askToDrainOnce } from '../../fleet/drain.ts';
import { Problem } from '../../problem.ts';
import type { ApiDeps } from '../deps.ts';
import { pageOnlyQuery, pageRequest } from '../lists/list-query.ts';
import { linkPages } from '../lists/page-links.ts';
import { pageOfNames } from '../lists/page-of-names.ts';
import { requireScope } from '../plugins/principal.ts';
import { pageOf, problems } from '../records/shapes.ts';
import { worker } from '../routes/scaling.ts';
import { refuseBody } from '../server/refuse-body.ts';
import { actorOf } from './actor.ts';

/** `/v1/workers`: lists workers, and drains one. */
export function addWorkerRoutes(app: FastifyInstance, { directory, scaling, config }: ApiDeps): void {
  const { redis, cursors } = directory;
  const typed = app.withTypeProvider<ZodTypeProvider>();
  const onRequest = requireScope('operate');
  const tags = ['Operation'];

  typed.get(
    '/v1/workers',
    {
      onRequest,
      schema: {
        tags,
        operationId: 'listWorkers',
        summary: 'List the workers',
        description:
          'Those that were heard of in the last ten seconds, at most 1,000. The list is read at most once a second.',
        querystring: pageOnlyQuery,
        response: { 200: pageOf(worker, 'WorkerPage'), ...problems(400, 403) },
      },
    },
    async (request, reply) => {
      const { workerList } = await scaling.report();
      const byId = new Map(workerList.map((one) => [one.id, one]));
      const { data, ...position } = pageOfNames(
        cursors,
        'workers',
        [...byId.keys()],
        pageRequest(request.query),
      );
      linkPages(config, request, reply, position);
      return { data: data.map((id) => byId.get(id)), ...position };
    },
  );

  typed.post(
    '/v1/workers/:id/drain',
    {
      onRequest,
      schema: {
        tags,
        operationId: 'drainWorker',
        summary: 'Drain a worker',
        description:
          'Within a second it takes nothing new, finishes what it runs and ends, as on SIGTERM. What supervises it may start another.',
        params: z.object({ id: z.string().min(1).max(100) }),
        response: { 202: worker.describe('It is asked to'), ...problems(400, 403, 404, 413, 415) },
      },
    },
    async (request, reply) => {
      refuseBody(request);
      const { id } = request.params;
      const found = (await scaling.report()).workerList.find((one) => one.id === id);
      if (found === undefined) {
        const detail = 'There is no worker with that id: GET /v1/workers lists those there are.';
        throw new Problem('not_found', { detail });
      }
      if (found.state === 'draining') return reply.code(202).send(found);
      // A worker says that it drains up to a second after it was asked to, and a repeat may come before that. If the audit list cannot be
      // written, it is not asked: no worker drains unrecorded.
      await askToDrainOnce(redis, id, async () => {
        const by = await actorOf(redis, request.principal);
        const change = { from: { state: found.state }, to: { state: 'draining' } };
        await appendAudit(redis, { by, action: 'drain', target: { kind: 'worker', id }, ...change });
      });
      return reply.code(202).send({ ...found, state: 'draining' as const });
    },
  );
}
