import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod';
import { type CallRecord, type FullCallRecord, findCall } from '../../async-calls/find-call.ts';
import { listCalls } from '../../async-calls/list-calls.ts';
import { timeOfId } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import { replayCall } from '../calls/replay-call.ts';
import type { ApiDeps } from '../deps.ts';
import { OneAtATime } from '../limits/one-at-a-time.ts';
import { type CallQuery, callListOf } from '../lists/call-list-query.ts';
import { requireScope } from '../plugins/principal.ts';
import { callsAtOnce, chargeBulk } from '../plugins/rate-limit.ts';
import { getParent } from '../records/parent.ts';
import { problems } from '../records/shapes.ts';
import { reference } from '../records/texts.ts';

const CALLS_PER_REQUEST = 100;

const body = z.strictObject({
  workspaceId: reference,
  messengerAccountId: reference.exactOptional(),
  status: z.enum(['failed', 'canceled', 'expired']).default('failed'),
  startingAfter: z.string().min(1).max(500).exactOptional().describe('`next` of the previous request'),
});

const answer = z.object({
  found: z.int().describe('Calls that match, at most 100 per request'),
  replayed: z.int().describe('Those replayed now'),
  skipped: z.int().describe('Those replayed before'),
  paused: z.int().describe('Those left as they are, as an operator has paused calls like them'),
  next: z.string().nullable().describe('For `startingAfter` of the next request; null at the end'),
});

type Counts = Omit<z.output<typeof answer>, 'next'>;

/** Where a request goes on, before when the calls were made, and when the first request came, by Redis' clock. */
interface Place {
  createdBefore: number;
  askedAt: number;
  cursor: string | undefined;
}

/** `POST /v1/calls/replay`: replays calls that ended without a result, up to a hundred per request. */
export function addReplayCallsRoute(app: FastifyInstance, deps: ApiDeps): void {
  const { redis, cursors } = deps.directory;
  const replays = new OneAtATime();
  app.withTypeProvider<ZodTypeProvider>().post(
    '/v1/calls/replay',
    {
      config: { traced: true },
      onRequest: requireScope('calls:write'),
      schema: {
        tags: ['Calls'],
        operationId: 'replayCalls',
        summary: 'Make calls that ended without a result once more',
        description:
          'Those of a workspace, up to a hundred a request; go on with `startingAfter`. Idempotent: what was replayed before is skipped. If a limit ends a request partway, the answer says what was replayed until then; the request with its `next` goes on there, or meets the limit.',
        body,
        response: { 200: answer, ...problems(400, 403, 404, 409, 413, 415, 429, 507) },
      },
    },
    async (request, reply) => {
      const { body, principal } = request;
      const { startingAfter, ...filter } = body;
      const { reads } = deps;
      await getParent(redis, principal, 'workspaces', filter.workspaceId);
      const { createdBefore, askedAt, cursor } = readNext(startingAfter) ?? (await begin(request, filter));
      // Each counts against the rate limit, which bounds how many are possible.
      const limit = Math.min(CALLS_PER_REQUEST, callsAtOnce(deps, principal));
      const list = await callListOf(redis, principal, { ...filter, createdBefore });
      const wanted = { limit, startingAfter: cursor };
      const page = await listCalls(reads.redis, cursors, list, wanted, reads.runnerOf(request)).catch(
        explainCursor,
      );
      const calls = page.data.filter((call) => call.replayOf === null || call.createdAt < askedAt);
      const counts = await replays.run(filter.workspaceId, async () => {
        await chargeBulk(deps, request, reply, Math.max(0, calls.length - 1), '/calls');
        return replayAll(deps, request, calls);
      });
      const next = counts.found < calls.length ? (cursor ?? '') : page.cursors.next;
      return { ...counts, next: next === null ? null : showNext({ createdBefore, askedAt, cursor: next }) };
    },
  );

  // Only calls made before the first request are replayed. A replay that fails at once would else be found by a later request, without
  // end. The process that has taken a call may have a clock that is ahead of this one's: by it, replays may be older than the newest call.
  async function begin(request: FastifyRequest, filter: CallQuery): Promise<Place> {
    const newest = await callListOf(redis, request.principal, { ...filter, sort: '-createdAt' });
    const { redis: readsRedis } = deps.reads;
    const { data } = await listCalls(readsRedis, cursors, newest, { limit: 1 }, deps.reads.runnerOf(request));
    const lastId = data[0]?.id;
    const createdBefore = Math.max(Date.now(), lastId === undefined ? 0 : timeOfId(lastId) + 1);
    return { createdBefore, askedAt: Math.floor(deps.clock.now()), cursor: undefined };
  }
}

/** Replays calls, or those before a limit. The next request tells of the limit: a problem would hide what was replayed. */
async function replayAll(
  deps: ApiDeps,
  request: FastifyRequest,
  calls: readonly CallRecord[],
): Promise<Counts> {
  const { reads } = deps;
  const counts = { replayed: 0, skipped: 0, paused: 0 };
  let found = 0;
  for (const { workspaceId, id } of calls) {
    // One at a time: each may have a MiB of params.
    const find = () => findCall(reads.redis, workspaceId, id);
    const call = await reads.run(request, find, { isExempt: true });
    const how = call === null ? 'skipped' : await replay(deps, request, call, counts.replayed > 0);
    if (how === 'limited') break;
    counts[how] += 1;
    found += 1;
  }
  return { found, ...counts };
}

async function replay(
  deps: ApiDeps,
  request: FastifyRequest,
  call: FullCallRecord,
  mayStop: boolean,
): Promise<'replayed' | 'skipped' | 'paused' | 'limited'> {
  const trace = request.trace?.fork('call', {});
  try {
    const { isNew } = await replayCall(deps, request.principal, call, trace);
    return isNew ? 'replayed' : 'skipped';
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'paused') return 'paused';
    if (mayStop) return 'limited';
    throw error;
  } finally {
    trace?.end();
  }
}

// The cursors of `GET /v1/calls` are what a caller has tried who has got it wrong.
function explainCursor(error: unknown): never {
  if (!(error instanceof Problem && error.code === 'invalid_cursor')) throw error;
  const detail = 'Send `next` of the answer before with the same filter, or begin without `startingAfter`.';
  throw new Problem('invalid_cursor', { detail });
}

function readNext(startingAfter: string | undefined): Place | null {
  if (startingAfter === undefined) return null;
  const [, time, askedAt, cursor] = startingAfter.match(/^(\d{1,15})(?:-(\d{1,15}))?\.(.*)$/s) ?? [];
  return time === undefined
    ? { createdBefore: Date.now(), askedAt: Number.POSITIVE_INFINITY, cursor: startingAfter }
    : {
        createdBefore: Number(time),
        askedAt: Number(askedAt ?? Number.POSITIVE_INFINITY),
        cursor: cursor === '' ? undefined : cursor,
      };
}

function showNext({ createdBefore, askedAt, cursor }: Place): string {
  // That of an earlier release tells no `askedAt`.
  return `${createdBefore}${Number.isFinite(askedAt) ? `-${askedAt}` : ''}.${cursor}`;
}
