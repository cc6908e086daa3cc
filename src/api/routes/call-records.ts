import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { isId } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import { findCallPlace } from '../../store/async-calls/call-place.ts';
import { findCall, type KeptCall } from '../../store/async-calls/find-call.ts';
import { listCalls } from '../../store/async-calls/list-calls.ts';
import { maySee } from '../../store/principal.ts';
import { callListOf, callListQuery } from '../call-list-query.ts';
import { callShape, showCall } from '../call-shape.ts';
import type { ApiDeps } from '../deps.ts';
import { pageRequest } from '../list-query.ts';
import { callLocation } from '../location.ts';
import { requireScope } from '../plugins/principal.ts';
import { WAIT_MAX_SECONDS } from '../prefer.ts';
import { refuseBody } from '../refuse-body.ts';
import { replayCall } from '../replay-call.ts';
import { pageOf, problems } from '../shapes.ts';
import { untilCallEnded } from '../until-call-ended.ts';

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

/** `/v1/calls`: the calls that nobody waits for, while they are kept. */
export function addCallRecordRoutes(app: FastifyInstance, deps: ApiDeps): void {
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
        querystring: callListQuery,
        response: { 200: pageOf(callShape, 'CallPage'), ...problems(400, 403) },
      },
    },
    async ({ query, principal }) => {
      const list = await callListOf(redis, principal, query);
      const page = await listCalls(redis, cursors, list, pageRequest(query));
      return { ...page, data: page.data.map(showCall) };
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
        querystring: z.strictObject({ wait }),
        response: { 200: callShape, ...problems(400, 403, 404) },
      },
    },
    async (request, reply) => {
      const call = await getCall(deps, request);
      const waitMs = (request.query.wait ?? 0) * 1_000;
      if (call.end !== null || waitMs === 0) return showCall(call);
      const closed = new AbortController();
      reply.raw.once('close', () => closed.abort());
      const later = await untilCallEnded(deps, call.workspaceId, call.id, waitMs, closed.signal);
      return showCall(later ?? call);
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
    async (request) => {
      const call = await getCall(deps, request);
      if (call.end === null) await deps.asyncCalls.cancel(call);
      const after = await findCall(redis, call.workspaceId, call.id);
      if (after?.status === 'canceled') return showCall(after);
      throw new Problem('call_ended', { detail: `It has ended: ${after?.status ?? 'failed'}.` });
    },
  );

  typed.post(
    '/v1/calls/:id/replay',
    {
      onRequest: requireScope('calls:write'),
      schema: {
        tags: TAGS,
        operationId: 'replayCall',
        summary: 'Make a call that ended without a result once more',
        description: 'Asked for again, it gives the same new call.',
        response: {
          202: z.object({ id: z.string(), status: z.enum(['queued']) }),
          ...problems(400, 403, 404, 409, 413, 415),
        },
      },
    },
    async (request, reply) => {
      const call = await getCall(deps, request);
      refuseBody(request);
      if (call.end === null || call.status === 'succeeded') {
        throw new Problem('conflict', {
          detail: `Only a call that ended without a result; it is ${call.status}.`,
        });
      }
      const { id } = await replayCall(deps, call);
      return reply.code(202).header('location', callLocation(deps.config, id)).send({ id, status: 'queued' });
    },
  );
}

async function getCall({ directory }: ApiDeps, { params, principal }: FastifyRequest): Promise<KeptCall> {
  const { id } = params as { id: string };
  const workspaceId = isId('call', id) ? await findCallPlace(directory.redis, id) : null;
  const call = workspaceId === null ? null : await findCall(directory.redis, workspaceId, id);
  if (call !== null && maySee(principal, call)) return call;
  throw new Problem('not_found', { detail: 'There is no call with that id.' });
}
