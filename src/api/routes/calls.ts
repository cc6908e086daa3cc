import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FieldError, Problem } from '../../problem.ts';
import { toCallingAccount } from '../../queue/account-orders.ts';
import { decodeFrame, type Reply } from '../../queue/frame.ts';
import { claimIdempotencyKey } from '../../store/idempotency.ts';
import { findMethod, type TlMethod } from '../../tl/methods.ts';
import { validateParams } from '../../tl/validate-params.ts';
import type { ApiDeps } from '../deps.ts';
import { readIdempotencyKey } from '../idempotency-key.ts';
import type { CallOutcome } from '../metrics.ts';
import { requireScope } from '../plugins/principal.ts';
import { toProblem } from '../plugins/problems.ts';
import { requireAccount } from '../plugins/require-account.ts';

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
    onRequest: [requireAccount(deps.directory.accounts), requireScope('calls:write'), requireMethod],
    handler: (request, reply) => answerCall(request, reply, deps),
  });
}

function requireMethod(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const { method: name } = request.params as { method: string };
  const method = findMethod(name);
  if (method === null) {
    done(
      new Problem('unknown_method', {
        detail: 'The TL schema has no callable method of this name.',
      }),
    );
    return;
  }
  request.tlMethod = method;
  done();
}

async function answerCall(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: ApiDeps,
): Promise<FastifyReply> {
  const { tlMethod } = request;
  const startedAt = performance.now();
  const observe = (status: number) =>
    deps.metrics.observeCall({
      method: tlMethod.name,
      outcome: outcomeOf(status),
      durationMs: performance.now() - startedAt,
    });
  try {
    const answer = await runCall(request, reply, deps);
    observe(answer.status);
    return sendReply(reply, answer);
  } catch (error) {
    const problem = toProblem(error);
    observe(problem.status);
    noteFailure(request, deps, problem);
    throw error;
  }
}

// Workers log what fails with them; this is for calls that never got there or were not heard of again.
function noteFailure(request: FastifyRequest, { log }: ApiDeps, { status, code }: Problem): void {
  const { tlMethod, callId, account } = request;
  const { workspaceId, id: messengerAccountId } = account;
  log.info(
    { callId, method: tlMethod.name, workspaceId, messengerAccountId, txid: null, status, code },
    'call failed',
  );
}

async function runCall(request: FastifyRequest, reply: FastifyReply, deps: ApiDeps): Promise<Reply> {
  const { account, tlMethod: method, callId } = request;
  const params = readParams(request.body, method);
  const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
  const timeoutMs = deps.config.CALL_TIMEOUT_MS;
  let key: { ledger: string; claim: string; seed: string } | undefined;
  if (idempotencyKey !== null) {
    const claim = await claimIdempotencyKey(deps.directory.redis, {
      workspaceId: account.workspaceId,
      accountId: account.id,
      key: idempotencyKey,
      method: method.name,
      params,
      attempt: callId,
      notAfter: deps.clock.now() + timeoutMs,
    });
    if ('replay' in claim) {
      reply.header('idempotency-replayed', 'true');
      return decodeFrame(claim.replay);
    }
    key = claim;
  }
  reply.raw.once('close', () => deps.calls.withdraw(callId));
  const answer = deps.calls.submit({
    id: callId,
    workspaceId: account.workspaceId,
    account: toCallingAccount(account),
    driver: account.driver,
    method: method.name,
    kind: 'method',
    params,
    lane: account.lane,
    bytes: request.bodyBytes,
    timeoutMs,
    ...(key === undefined ? {} : { key }),
  });
  // It may have been closed while the key was claimed; nobody would be told of that again.
  if (reply.raw.destroyed) deps.calls.withdraw(callId);
  return answer;
}

function readParams(body: unknown, method: TlMethod): object {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidBody([
      {
        pointer: '',
        detail: 'The body must be an object with the member `params`.',
      },
    ]);
  }
  const foreign = Object.keys(body).filter((name) => name !== 'params');
  if (foreign.length > 0) {
    throw invalidBody(
      foreign.slice(0, 20).map((name) => ({
        pointer: `/${escapePointer(name)}`,
        detail: 'There is no such member.',
      })),
    );
  }
  const { params } = body as { params?: unknown };
  if (params === undefined)
    throw invalidBody([{ pointer: '/params', detail: 'The member `params` is missing.' }]);
  const checked = validateParams(method, params);
  if (!checked.ok) throw new Problem('invalid_params', { errors: checked.errors });
  return checked.params;
}

function invalidBody(errors: FieldError[]): Problem {
  return new Problem('invalid_body', { errors });
}

function escapePointer(name: string): string {
  return name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
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

function outcomeOf(status: number): CallOutcome {
  if (status === 0) return 'failed';
  if (status < 400) return 'ok';
  if (status === 503 || status === 429) return 'overloaded';
  if (status === 504) return 'timeout';
  if (status < 500) return 'refused';
  return 'failed';
}
