import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { hasReply } from '../../ledger/claim.ts';
import { type Problem, placeProblem, RETRY_AFTER_SECONDS } from '../../problem.ts';
import type { Reply } from '../../queue/frame.ts';
import { findMethod, type TlMethod } from '../../tl/methods.ts';
import { failure } from '../../tracing/attributes.ts';
import { runAsyncCall } from '../calls/async-call.ts';
import { invalidBody, isOnlyValidated, readMembers, readParams } from '../calls/call-body.ts';
import { executionCheck, unknownMethod } from '../calls/call-method.ts';
import { readIdempotencyKey } from '../calls/idempotency-key.ts';
import { logFailure } from '../calls/log-failure.ts';
import { looksAsync, readPrefer } from '../calls/prefer.ts';
import { readSchedule } from '../calls/schedule.ts';
import { SingleAnswerMemory } from '../calls/single-answer-memory.ts';
import { outcomeOf, runSyncCall, toCallRequest } from '../calls/sync-call.ts';
import type { ApiDeps } from '../deps.ts';
import { type AnswerBudget, HeldAnswer } from '../limits/answer-budget.ts';
import { requireScope } from '../plugins/principal.ts';
import { markLogged, toProblem } from '../plugins/problems.ts';
import { requireAccount } from '../plugins/require-account.ts';
import { CALL_VALUES_MAX } from '../server/parse-json.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The TL method of the path; only on the route of calls. */
    tlMethod: TlMethod;
    /** Why the call is refused unless it is async; undefined if admission was not asked. */
    refusal: Problem | null | undefined;
  }
}

// Fastify would add the charset for each answer.
const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

const NO_UPDATES_YET = '0000000000000000_0000000000000000';

/** `POST …/call/{method}`: makes one call. */
export function addCallRoutes(app: FastifyInstance, deps: ApiDeps, answers: AnswerBudget): void {
  app.decorateRequest('tlMethod', null as never);
  app.decorateRequest('refusal', undefined);
  app.post('/workspaces/:workspaceId/messenger-accounts/:accountId/call/:method', {
    config: { call: true, traced: true, valuesMax: CALL_VALUES_MAX },
    onRequest: [
      requireAccount(deps.directory.accounts),
      requireScope('calls:write'),
      requireMethod,
      requireAdmission(deps),
    ],
    handler(request, reply) {
      void answerCall(request, reply, deps, answers);
    },
  });
}

function requireMethod(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const { method: name } = request.params as { method: string };
  const method = findMethod(name);
  if (method === null) return void done(unknownMethod(name));
  request.tlMethod = method;
  done();
}

/** Refuses calls before their bodies are read, which an overloaded process has no time for. */
function requireAdmission({ admission, metrics }: ApiDeps): onRequestHookHandler {
  return function checkAdmission(request, _reply, done) {
    const { account, headers, query, tlMethod } = request;
    // How long callers wait does not matter for an async call.
    if (looksAsync(headers.prefer)) return done();
    if ((query as { validate?: unknown }).validate !== undefined) return done();
    const problem = admission.check(account);
    request.refusal = problem;
    // The schedule is in the body.
    if (problem === null || admission.glance(account)) return done();
    metrics.observeCall({
      method: tlMethod.name,
      outcome: outcomeOf(problem),
      driver: account.driver,
      durationMs: null,
    });
    markLogged(request, problem);
    done(problem);
  };
}

// Not awaited: it always answers.
async function answerCall(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: ApiDeps,
  answers: AnswerBudget,
): Promise<void> {
  const startedAt = performance.now();
  try {
    if (isOnlyValidated(request.query)) return await validateCall(request, reply, deps);
    const answer = await runRequested(request, reply, deps, answers);
    observe(request, deps, answer, startedAt);
    if (answer.status === 0) closeConnection(reply);
    else sendReply(reply, answer);
  } catch (error) {
    const problem = toProblem(error);
    observe(request, deps, problem, startedAt);
    noteFailure(request, deps, problem);
    reply.send(error);
  }
}

// A call that is only validated is not made, so it is neither counted nor logged.
async function validateCall(request: FastifyRequest, reply: FastifyReply, deps: ApiDeps): Promise<void> {
  await answerValidation(request, reply, deps).catch((error) => void reply.send(error));
}

function observe(
  { tlMethod, account }: FastifyRequest,
  { metrics }: ApiDeps,
  answer: Reply | Problem,
  startedAt: number,
): void {
  metrics.observeCall({
    method: tlMethod.name,
    outcome: outcomeOf(answer),
    driver: account.driver,
    durationMs: performance.now() - startedAt,
  });
}

function noteFailure(request: FastifyRequest, { log }: ApiDeps, problem: Problem): void {
  const { tlMethod, callId: id, account, trace, refusal } = request;
  trace?.set(failure(problem.code));
  markLogged(request, problem);
  // Admission logs once when calls are refused.
  if (problem === refusal) return;
  logFailure(log, { id, method: tlMethod.name, workspaceId: account.workspaceId, account, trace }, problem);
}

async function answerValidation(request: FastifyRequest, reply: FastifyReply, deps: ApiDeps): Promise<void> {
  const { account, tlMethod } = request;
  const { schedule, params, idempotencyKey: key } = readCall(request, deps);
  const { redis } = deps.directory;
  if (schedule?.overdue) {
    const { workspaceId, id: accountId } = account;
    const call = { workspaceId, accountId, method: tlMethod.name, params };
    // One that was accepted before is not refused.
    if (key === null || !(await hasReply(redis, { ...call, key }))) throw schedule.overdue;
  }
  await executionCheck(redis)(account.driver, tlMethod.name);
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

function runRequested(
  request: FastifyRequest,
  { raw }: FastifyReply,
  deps: ApiDeps,
  answers: AnswerBudget,
): Promise<Reply> {
  const { account, tlMethod, callId: id, bodyBytes: bytes, trace } = request;
  const { preference, schedule, params, idempotencyKey } = readCall(request, deps);
  // A request that waits for the end of an async call would keep its params, which are recorded by then.
  request.body = undefined;
  const method = tlMethod.name;
  const timeoutMs = deps.config.CALL_TIMEOUT_MS;
  const call = toCallRequest(account, { id, method, params, idempotencyKey, bytes, timeoutMs, trace });
  if (schedule !== null) {
    const held = new HeldAnswer(answers, raw, account.organizationId);
    return runAsyncCall(deps, call, schedule, preference, request, held);
  }
  refuseAfterHead(request, deps);
  return runSyncCall(deps, call, raw, new SingleAnswerMemory(answers, raw, account.organizationId));
}

// Decides what could not be decided from the request's head.
function refuseAfterHead({ refusal, account }: FastifyRequest, { admission }: ApiDeps): void {
  const problem = refusal === undefined ? admission.check(account) : refusal;
  if (problem !== null) throw problem;
}

function sendReply(reply: FastifyReply, { status, offset, headers, body, isReplay, isFinal }: Reply): void {
  reply.code(status);
  if (status !== 202) reply.header('stream-next-offset', offset ?? NO_UPDATES_YET);
  if (isReplay) reply.header('idempotency-replayed', 'true');
  if (status === 503 && !isFinal) reply.header('retry-after', RETRY_AFTER_SECONDS);
  reply.headers(headers);
  reply.header('content-type', status < 400 ? JSON_TYPE : PROBLEM_TYPE);
  reply.send(status < 400 ? body : placeProblem(body));
}

function closeConnection(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.destroy();
}
