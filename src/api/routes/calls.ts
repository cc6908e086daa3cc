import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Reply } from '../../queue/frame.ts';
import { findMethod, type TlMethod } from '../../tl/methods.ts';
import { readMembers, readParams } from '../call-body.ts';
import { checkExecuted, unknownMethod } from '../call-method.ts';
import { isOnlyValidated } from '../call-query.ts';
import type { ApiDeps } from '../deps.ts';
import { readIdempotencyKey } from '../idempotency-key.ts';
import { noteFailure } from '../note-failure.ts';
import { requireScope } from '../plugins/principal.ts';
import { toProblem } from '../plugins/problems.ts';
import { requireAccount } from '../plugins/require-account.ts';
import { outcomeOf, runSyncCall } from '../sync-call.ts';

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
    handler: (request, reply) => answerCall(request, reply, deps),
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

async function answerCall(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: ApiDeps,
): Promise<FastifyReply> {
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
    observe(answer.status);
    return sendReply(reply, answer);
  } catch (error) {
    const problem = toProblem(error);
    observe(problem.status);
    noteFailure(deps.log, { id, method: tlMethod.name, account }, problem);
    throw error;
  }
}

async function answerValidation(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: ApiDeps,
): Promise<FastifyReply> {
  readCall(request);
  await checkExecuted(deps.directory.redis, request.account, request.tlMethod.name);
  return reply.type('application/json').send('{"valid":true}');
}

function readCall({ body, headers, tlMethod }: FastifyRequest) {
  const params = readParams(readMembers(body, ['params']).params, tlMethod);
  return { params, idempotencyKey: readIdempotencyKey(headers['idempotency-key']) };
}

async function runCall(request: FastifyRequest, reply: FastifyReply, deps: ApiDeps): Promise<Reply> {
  const { account, tlMethod: method, callId: id, bodyBytes: bytes } = request;
  const call = { id, account, method, bytes, ...readCall(request) };
  reply.raw.once('close', () => deps.calls.withdraw(id));
  const { reply: answer, replayed } = await runSyncCall(deps, call, reply.raw);
  if (replayed) reply.header('idempotency-replayed', 'true');
  return answer;
}

function sendReply(reply: FastifyReply, { status, offset, headers, body }: Reply): FastifyReply {
  if (status === 0) return closeConnection(reply);
  reply.code(status).header('stream-next-offset', offset ?? NO_UPDATES_YET);
  if (Object.keys(headers).length > 0) reply.headers(headers);
  reply.header('content-type', status < 400 ? 'application/json' : 'application/problem+json');
  return reply.send(body);
}

function closeConnection(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}
