import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod';
import { wakeCalls } from '../../async-calls/held-calls.ts';
import { changeControl, PAUSES, PAUSES_MAX } from '../../control/change-control.ts';
import {
  PAUSABLE_LANES,
  PAUSE_KINDS,
  PAUSE_MODES,
  type Pause,
  type PauseTarget,
} from '../../control/pauses.ts';
import { getRecord } from '../../directory/records.ts';
import { Problem } from '../../problem.ts';
import { findMethod } from '../../tl/methods.ts';
import { unknownMethod } from '../calls/call-method.ts';
import type { ApiDeps } from '../deps.ts';
import { pageOnlyQuery, pageRequest } from '../lists/list-query.ts';
import { linkPages } from '../lists/page-links.ts';
import { pageOfNames } from '../lists/page-of-names.ts';
import { requireScope } from '../plugins/principal.ts';
import { pageOf, problems } from '../records/shapes.ts';
import { note } from '../records/texts.ts';
import { actor, actorOf } from './actor.ts';

const target = z.object({
  kind: z.enum(PAUSE_KINDS, `One of ${PAUSE_KINDS.join(', ')} is needed`),
  id: z.string().min(1).max(100).describe('Of a workspace or account its id; of a method or lane its name'),
});

const wanted = z.strictObject({
  mode: z
    .enum(PAUSE_MODES)
    .describe(
      '`wait`: calls wait until they are resumed, sync ones until their time ends. `refuse`: they are answered 503. Async calls that are there already wait either way',
    ),
  reason: note(300).nullable().default(null).describe('For people; callers who are refused read it'),
});

const pause = z
  .object({ target, ...wanted.shape, since: z.iso.datetime(), by: actor })
  .meta({ id: 'Pause', description: 'Something whose calls an operator has paused' });

/** `/v1/pauses`: workspaces, accounts, methods and lanes whose calls are paused. */
export function addPauseRoutes(app: FastifyInstance, deps: ApiDeps): void {
  const { directory, control, config } = deps;
  const { redis, cursors } = directory;
  const typed = app.withTypeProvider<ZodTypeProvider>();
  const onRequest = requireScope('operate');
  const tags = ['Operation'];
  const url = '/v1/pauses/:kind/:id';

  typed.get(
    '/v1/pauses',
    {
      onRequest,
      schema: {
        tags,
        operationId: 'listPauses',
        summary: 'List what is paused',
        description: 'By kind and id.',
        querystring: pageOnlyQuery,
        response: { 200: pageOf(pause, 'PausePage'), ...problems(400, 403) },
      },
    },
    async (request, reply) => {
      const names = (await redis.hkeys(PAUSES)).sort();
      const { data, ...position } = pageOfNames(cursors, 'pauses', names, pageRequest(request.query));
      linkPages(config, request, reply, position);
      const found = data.length === 0 ? [] : await redis.hmget(PAUSES, ...data);
      const pauses = found.filter((text) => text !== null).map((text): Pause => JSON.parse(text));
      return { data: pauses, ...position };
    },
  );

  typed.put(
    url,
    {
      onRequest,
      schema: {
        tags,
        operationId: 'pause',
        summary: 'Pause a workspace, an account, a method or a lane',
        description:
          'Every process follows within a second. Calls that already run go on; async calls that were accepted wait. Pausing again replaces mode and reason.',
        params: target,
        body: wanted,
        response: { 200: pause, ...problems(400, 403, 404, 409, 413, 415) },
      },
    },
    async (request) => {
      const { mode, reason } = request.body;
      await checkTarget(deps, request.params);
      const by = await actorOf(redis, request.principal);
      const found = await changeControl<Pause>(redis, placeOf(request.params), (before) => {
        const isRepeat = before?.mode === mode && before.reason === reason && before.by.id === by.id;
        if (isRepeat) return null;
        const value = { target: request.params, mode, reason, since: before?.since ?? now(), by };
        const from = before === null ? null : { mode: before.mode, reason: before.reason };
        const change = { by, action: 'pause', target: request.params, from, to: { mode, reason } };
        return { value, change, resumes: false };
      });
      if (found === 'full') {
        const detail = `${PAUSES_MAX} things are paused, which is the most: resume some first.`;
        throw new Problem('conflict', { detail });
      }
      await control.refresh();
      return found as Pause;
    },
  );

  typed.delete(
    url,
    {
      onRequest,
      schema: {
        tags,
        operationId: 'resume',
        summary: 'Resume what is paused',
        description:
          'The calls that wait go on. What is not paused is left as it is; what does not exist, or is deleted, is 404.',
        params: target,
        response: { 204: z.null().describe('It is not paused'), ...problems(400, 403, 404) },
      },
    },
    async (request, reply) => {
      const by = await actorOf(redis, request.principal);
      let wasPaused = false;
      await changeControl<Pause>(redis, placeOf(request.params), (before) => {
        if (before === null) return null;
        wasPaused = true;
        const from = { mode: before.mode, reason: before.reason, since: before.since };
        const change = { by, action: 'resume', target: request.params, from, to: null };
        return { value: null, change, resumes: true };
      });
      // A mistyped id is 404, because what was meant stays paused. A pause of something that is gone by now can still be ended.
      if (!wasPaused) await checkTarget(deps, request.params);
      await control.refresh();
      await wakeCalls(redis, request.params);
      return reply.code(204).send(null);
    },
  );
}

function placeOf({ kind, id }: PauseTarget) {
  return { key: PAUSES, field: `${kind}:${id}`, max: PAUSES_MAX };
}

async function checkTarget({ directory }: ApiDeps, { kind, id }: PauseTarget): Promise<void> {
  if (kind === 'workspace') await getRecord(directory.redis, 'workspaces', id);
  else if (kind === 'account') await getRecord(directory.redis, 'messenger-accounts', id);
  else if (kind === 'method') {
    if (findMethod(id) === null) throw unknownMethod(id);
  } else if (!PAUSABLE_LANES.some((lane) => lane === id)) {
    throw new Problem('not_found', {
      detail: `The lanes that can be paused are ${PAUSABLE_LANES.join(', ')}.`,
    });
  }
}

function now(): string {
  return new Date().toISOString();
}
