import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod';
import { findCallWorkspace } from '../../async-calls/call-workspace.ts';
import { type CallRecord, findCall, findCallRecord } from '../../async-calls/find-call.ts';
import { listCalls } from '../../async-calls/list-calls.ts';
import { maySee } from '../../directory/principal.ts';
import { findRecord, missingId } from '../../directory/records.ts';
import { isId } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { callShape, showCall } from '../calls/call-shape.ts';
import { WAIT_MAX_SECONDS } from '../calls/prefer.ts';
import { replayCall } from '../calls/replay-call.ts';
import { untilCallEnded } from '../calls/until-call-ended.ts';
import type { ApiDeps } from '../deps.ts';
import { callListOf, callListQuery } from '../lists/call-list-query.ts';
import { pageRequest } from '../lists/list-query.ts';
import { linkPages } from '../lists/page-links.ts';
import { requireScope } from '../plugins/principal.ts';
import { callLocation } from '../records/location.ts';
import { sendJson } from '../records/send-json.ts';
import { pageOf, problems } from '../records/shapes.ts';
import { refuseBody } from '../server/refuse-body.ts';

const wait = z
  .string('Give it once')
  .refine(
    (text) => /^\d{1,2}$/.test(text) && Number(text) <= WAIT_MAX_SECONDS,
    `A whole number of seconds from 0 to ${WAIT_MAX_SECONDS} is needed`,
  )
  .transform(Number)
  .optional()
  .meta({
    type: 'integer',
    minimum: 0,
    maximum: WAIT_MAX_SECONDS,
    description: 'How many seconds to wait for its end',
  });

const TAGS = ['Calls'];

/** `/v1/calls`: async calls, while they are kept. */
export function addCallRecordRoutes(app: FastifyInstance, deps: ApiDeps): void {
  const { reads } = deps;
  const { redis, cursors } = deps.directory;
  const typed = app.withTypeProvider<ZodTypeProvider>();

  typed.get(
    '/v1/calls',
    {
      onRequest: requireScope('calls:read'),
      schema: {
        tags: TAGS,
        operationId: 'listCalls',
        summary: 'List calls',
        description:
          'Async calls, the oldest first unless `sort` says otherwise, for as long as they are kept. `status=failed` lists the dead letters; with `sort=-finishedAt` those that failed last come first, with `finishedAfter` those that failed since. A filter by `method`, or by account or status in the order of `finishedAt`, looks at 1,000 calls and 1 MiB for a page at most: then `partial` says that the search goes on with the next page.',
        querystring: callListQuery,
        response: { 200: pageOf(callShape, 'CallPage'), ...problems(400, 403, 429) },
      },
    },
    async (request, reply) => {
      const { query, principal } = request;
      const list = await callListOf(redis, principal, query);
      const wanted = pageRequest(query);
      const page = await listCalls(reads.redis, cursors, list, wanted, reads.runnerOf(request));
      linkPages(deps.config, request, reply, page);
      const { data, ...position } = page;
      const calls = data.map(showCall).join(',');
      return sendJson(reply, `{"data":[${calls}],${JSON.stringify(position).slice(1)}`);
    },
  );

  typed.get(
    '/v1/calls/:id',
    {
      onRequest: requireScope('calls:read'),
      schema: {
        tags: TAGS,
        operationId: 'getCall',
        summary: 'Get one call, or wait for its end',
        description:
          'How an async call stands, with its result or problem once it has ended. With `wait` the answer comes with its end, or as it stands after so many seconds.',
        querystring: z.strictObject({ wait }),
        response: { 200: callShape, ...problems(400, 403, 404, 429) },
      },
    },
    async (request, reply) => {
      const call = await getCall(deps, request, findCallRecord);
      const waitMs = (request.query.wait ?? 0) * 1_000;
      const later =
        call.end !== null || waitMs === 0 ? null : await untilCallEnded(deps, request, call, waitMs);
      return sendJson(reply, showCall(later ?? call));
    },
  );

  typed.delete(
    '/v1/calls/:id',
    {
      onRequest: requireScope('calls:write'),
      schema: {
        tags: TAGS,
        operationId: 'cancelCall',
        summary: 'Cancel one call',
        description:
          'A canceled call has not taken effect and never will; one that has ended cannot be canceled.',
        response: { 200: callShape, ...problems(403, 404, 409) },
      },
    },
    async (request, reply) => {
      const call = await getCall(deps, request, findCall);
      if (call.end === null && (await deps.asyncCalls.cancel(call))) deps.metrics.countCanceled();
      const after = await findCallRecord(redis, call.workspaceId, call.id);
      if (after?.status === 'canceled') return sendJson(reply, showCall(after));
      // It may have been too late, by the clock of this process.
      if (after?.end === null)
        throw new Problem('unavailable', { detail: 'Nothing was canceled. Try again.' });
      throw new Problem('call_ended', { detail: endedDetail(call.id, after?.status ?? 'failed') });
    },
  );

  typed.post(
    '/v1/calls/:id/replay',
    {
      config: { traced: true },
      onRequest: requireScope('calls:write'),
      schema: {
        tags: TAGS,
        operationId: 'replayCall',
        summary: 'Make a call that ended without a result once more',
        description: 'Idempotent: a repeat gives the same new call.',
        response: {
          202: z.object({ id: z.string(), status: z.enum(['queued']) }),
          ...problems(400, 403, 404, 409, 413, 415, 507),
        },
      },
    },
    async (request, reply) => {
      const call = await getCall(deps, request, findCall);
      refuseBody(request);
      if (call.end === null || call.status === 'succeeded') {
        throw new Problem('conflict', {
          detail: `Only a call that failed, was canceled or has expired can be replayed; the status of this one is ${call.status}.`,
        });
      }
      const { id } = await replayCall(deps, request.principal, call, request.trace);
      return reply.code(202).header('location', callLocation(deps.config, id)).send({ id, status: 'queued' });
    },
  );
}

function endedDetail(id: string, status: CallRecord['status']): string {
  return status === 'succeeded'
    ? `It has succeeded and cannot be canceled: GET /v1/calls/${id} has its result.`
    : `It has ended as ${status}: POST /v1/calls/${id}/replay runs it again.`;
}

async function getCall<C extends CallRecord>(
  { directory, reads }: ApiDeps,
  request: FastifyRequest,
  find: (redis: RedisConnection, workspaceId: string, id: string) => Promise<C | null>,
): Promise<C> {
  const { id } = request.params as { id: string };
  const { principal } = request;
  // In a cluster, a failover can lose the place of a call that runs. A workspace's own keys find it all the same.
  const own = principal.kind === 'key' ? principal.workspaceId : null;
  const workspaceId = isId('call', id) ? ((await findCallWorkspace(directory.redis, id)) ?? own) : null;
  // The calls of a deleted workspace are erased later.
  if (workspaceId !== null && (await findRecord(directory.redis, 'workspaces', workspaceId)) !== null) {
    // The call may have a MiB of params and a result of a MiB.
    const call = await reads.run(request, () => find(reads.redis, workspaceId, id), { isExempt: true });
    if (call !== null && maySee(principal, call)) return call;
  }
  throw new Problem('not_found', { detail: missingId('call', 'call', 'calls') });
}
