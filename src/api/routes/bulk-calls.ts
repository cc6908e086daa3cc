import type { FastifyInstance, FastifyRequest } from 'fastify';
import { newId } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import { findMethod } from '../../tl/methods.ts';
import { runAsyncCall } from '../async-call.ts';
import { readBulk, readBulkCall } from '../bulk-body.ts';
import { readParams } from '../call-body.ts';
import { unknownMethod } from '../call-method.ts';
import type { ApiDeps } from '../deps.ts';
import { noteFailure } from '../note-failure.ts';
import { requireScope } from '../plugins/principal.ts';
import { toProblem } from '../plugins/problems.ts';
import { chargeFurtherCalls } from '../plugins/rate-limit.ts';
import { admitAccount } from '../plugins/require-account.ts';
import { requireRecord } from '../plugins/require-record.ts';
import { readPrefer } from '../prefer.ts';
import { readSchedule } from '../schedule.ts';
import { outcomeOf, runSyncCall, type SyncAnswer, type SyncCall } from '../sync-call.ts';

const NO_UPDATES_YET = '0000000000000000_0000000000000000';

interface Done {
  status: number;
  offset: string;
  /** As JSON. */
  body: string;
}

/** `POST /workspaces/{workspaceId}/calls`: up to 100 calls at once, each answered in its place and for itself. */
export function addBulkCallRoute(app: FastifyInstance, deps: ApiDeps): void {
  app.post(
    '/workspaces/:workspaceId/calls',
    {
      onRequest: [
        requireRecord(deps.directory, 'workspaces', 'workspaceId'),
        requireScope('calls:write'),
        (request, _reply, done) => done(deps.calls.check(request.record.id) ?? undefined),
      ],
    },
    async (request, reply) => {
      const wanted = readBulk(request.body);
      const { respondAsync } = readPrefer(request.headers.prefer);
      await chargeFurtherCalls(deps, request, reply, wanted.length - 1);
      const ids = wanted.map(() => newId('call'));
      const bytes = Math.ceil(request.bodyBytes / wanted.length);
      reply.raw.once('close', () => {
        for (const id of ids) deps.calls.withdraw(id);
      });
      const done = await Promise.all(
        wanted.map((one, index) =>
          answerOne(deps, request, reply.raw, one, ids[index] as string, bytes, respondAsync),
        ),
      );
      const results = done.map(
        ({ status, body }, index) => `{"callId":"${ids[index]}","status":${status},"body":${body}}`,
      );
      const newest = done
        .map(({ offset }) => offset)
        .sort()
        .at(-1);
      if (respondAsync) reply.header('preference-applied', 'respond-async');
      reply.headers({ 'stream-next-offset': newest, 'content-type': 'application/json' });
      return reply.send(`{"results":[${results.join(',')}]}`);
    },
  );
}

async function answerOne(
  deps: ApiDeps,
  request: FastifyRequest,
  connection: { readonly destroyed: boolean },
  wanted: unknown,
  id: string,
  bytes: number,
  respondAsync: boolean,
): Promise<Done> {
  const startedAt = performance.now();
  let call: SyncCall | null = null;
  const done = await prepare(deps, request, wanted, id, bytes)
    .then((prepared) => {
      call = prepared;
      return respondAsync ? acceptOne(deps, prepared) : runSyncCall(deps, prepared, connection);
    })
    .then(({ reply }) => {
      if (reply.status === 0) throw new Problem('outcome_unknown');
      return { status: reply.status, offset: reply.offset ?? NO_UPDATES_YET, body: reply.body };
    })
    .catch((error): Done => {
      const problem = toProblem(error);
      if (call !== null) noteFailure(deps.log, { ...call, method: call.method.name }, problem);
      return { status: problem.status, offset: NO_UPDATES_YET, body: JSON.stringify(problem) };
    });
  observe(deps, call, done.status, performance.now() - startedAt);
  return done;
}

function acceptOne(deps: ApiDeps, call: SyncCall): Promise<SyncAnswer> {
  const schedule = readSchedule({}, deps.clock.now(), deps.config.ASYNC_CALL_EXPIRY_MS);
  const preference = { respondAsync: true, waitSeconds: null };
  return runAsyncCall(deps, { ...call, schedule }, preference, AbortSignal.abort());
}

function observe({ metrics }: ApiDeps, call: SyncCall | null, status: number, durationMs: number): void {
  if (call === null) return;
  metrics.observeCall({ method: call.method.name, outcome: outcomeOf(status), durationMs });
}

async function prepare(
  { directory }: ApiDeps,
  { principal, params: path }: FastifyRequest,
  wanted: unknown,
  id: string,
  bytes: number,
): Promise<SyncCall> {
  const { accountId, method: name, params, idempotencyKey } = readBulkCall(wanted);
  const { workspaceId } = path as { workspaceId: string };
  const account = admitAccount(principal, await directory.accounts.find(workspaceId, accountId));
  const method = findMethod(name);
  if (method === null) throw unknownMethod();
  return { id, account, method, params: readParams(params, method), bytes, idempotencyKey };
}
