import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { findMethod, type TlMethod } from '../../tl/methods.ts';
import { runAsyncCall } from '../async-call.ts';
import { invalidBody, readMembers, readParams } from '../call-body.ts';
import { checkExecuted, unknownMethod } from '../call-method.ts';
import { isOnlyValidated } from '../call-query.ts';
import type { ApiDeps } from '../deps.ts';
import { readIdempotencyKey } from '../idempotency-key.ts';
import { noteFailure } from '../note-failure.ts';
import { requireScope } from '../plugins/principal.ts';
import { RETRY_AFTER_SECONDS, toProblem } from '../plugins/problems.ts';
import { requireAccount } from '../plugins/require-account.ts';
import { readPrefer } from '../prefer.ts';
import { readSchedule } from '../schedule.ts';
import { outcomeOf, runSyncCall, type SyncAnswer } from '../sync-call.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The TL method of the path; only on the route of method calls. */
    tlMethod: TlMethod;
  }
}

const NO_UPDATES_YET = '0000000000000000_0000000000000000';

/** Adds the endpoint of method calls. */
export function addCallRoutes(app: FastifyInstance, deps: ApiDeps): void {
  app.decorateRequest('tlMethod', null as never);
  app.post('/workspaces/:workspaceId/messenger-accounts/:accountId/call/:method', {
    config: { call: true },
    onRequest: [
      requireAccount(deps.directory.accounts),
      requireScope('calls:write'),
      requireMethod,
      requireAdmission(deps),
    ],
    handler(request, reply) {
      void answerCall(request, reply, deps);
    },
  });
}

function requireMethod(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const method = findMethod((request.params as { method: string }).method);
  if (method === null) return void done(unknownMethod());
  request.tlMethod = method;
  done();
}

/** Refuses calls before their bodies are read: an overloaded process has no time for those. */
function requireAdmission({ calls, metrics }: ApiDeps): onRequestHookHandler {
  return function checkAdmission({ account, query, tlMethod }, _reply, done) {
    if ((query as { validate?: unknown }).validate !== undefined) return done();
    const problem = calls.check(account.workspaceId);
    if (problem === null) return done();
    metrics.observeCall({ method: tlMethod.name, outcome: 'overloaded', durationMs: 0 });
    done(problem);
  };
}

// Fastify need not wait for it: it answers in any case.
async function answerCall(request: FastifyRequest, reply: FastifyReply, deps: ApiDeps): Promise<void> {
  const { tlMethod, callId: id, account } = request;
  const startedAt = performance.now();
  const observe = (status: number) =>
    deps.metrics.observeCall({
      method: tlMethod.name,
      outcome: outcomeOf(status),
      durationMs: performance.now() - startedAt,
    });
  try {
    if (isOnlyValidated(request.query)) return await answerValidation(request, reply, deps);
    const answer = await runCall(request, reply, deps);
    observe(answer.reply.status);
    if (answer.reply.status === 0) closeConnection(reply);
    else sendReply(reply, answer);
  } catch (error) {
    const problem = toProblem(error);
    observe(problem.status);
    noteFailure(deps.log, { id, method: tlMethod.name, account }, problem);
    reply.send(error);
  }
}

async function answerValidation(request: FastifyRequest, reply: FastifyReply, deps: ApiDeps): Promise<void> {
  readCall(request, deps);
  await checkExecuted(deps.directory.redis, request.account, request.tlMethod.name);
  reply.type('application/json').send('{"valid":true}');
}

function readCall({ body, headers, tlMethod }: FastifyRequest, { clock, config }: ApiDeps) {
  const members = readMembers(body, ['params', 'scheduleAt', 'expiresAt']);
  const params = readParams(members.params, tlMethod);
  const idempotencyKey = readIdempotencyKey(headers['idempotency-key']);
  const preference = readPrefer(headers.prefer);
  const isAsync = preference.respondAsync || members.scheduleAt !== undefined;
  if (!isAsync && members.expiresAt !== undefined) {
    const detail = 'Only an async call expires: send `Prefer: respond-async`.';
    throw invalidBody([{ pointer: '/expiresAt', detail }]);
  }
  const schedule = isAsync ? readSchedule(members, clock.now(), config.ASYNC_CALL_EXPIRY_MS) : null;
  return { params, idempotencyKey, preference, schedule };
}

function runCall(request: FastifyRequest, reply: FastifyReply, deps: ApiDeps): Promise<SyncAnswer> {
  const { account, tlMethod: method, callId: id, bodyBytes: bytes } = request;
  const { preference, schedule, params, idempotencyKey } = readCall(request, deps);
  const call = { id, account, method, params, idempotencyKey, bytes };
  if (schedule === null) return runSyncCall(deps, call, reply.raw);
  return runAsyncCall(deps, { ...call, schedule }, preference, whenClosed(reply));
}

function whenClosed(reply: FastifyReply): AbortSignal {
  const closed = new AbortController();
  reply.raw.once('close', () => closed.abort());
  return closed.signal;
}

function sendReply(
  reply: FastifyReply,
  { reply: { status, offset, headers, body }, replayed }: SyncAnswer,
): void {
  reply.code(status);
  if (status !== 202) reply.header('stream-next-offset', offset ?? NO_UPDATES_YET);
  if (replayed) reply.header('idempotency-replayed', 'true');
  if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS);
  if (Object.keys(headers).length > 0) reply.headers(headers);
  reply.header('content-type', status < 400 ? 'application/json' : 'application/problem+json');
  reply.send(body);
}

function closeConnection(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.destroy();
}
