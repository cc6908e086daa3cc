import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Workspace } from '../../directory/collections.ts';
import { newId } from '../../ids.ts';
import { Problem, placeProblem } from '../../problem.ts';
import type { Reply } from '../../queue/frame.ts';
import type { Caller, CallRequest } from '../../queue/submit/pending-call.ts';
import { findMethod } from '../../tl/methods.ts';
import { callAttributes } from '../../tracing/attributes.ts';
import { runAsyncCall } from '../calls/async-call.ts';
import { BulkAnswerMemory } from '../calls/bulk-answer-memory.ts';
import { readBulk, readBulkCall } from '../calls/bulk-body.ts';
import { BulkProblems, type BulkResult, placeAfter, resultTexts } from '../calls/bulk-results.ts';
import { type Bulk, turnAfterLookUp, turnToCheck } from '../calls/bulk-turns.ts';
import { isOnlyValidated, readParams } from '../calls/call-body.ts';
import { type CheckExecuted, executionCheck, unknownMethod } from '../calls/call-method.ts';
import { logFailure } from '../calls/log-failure.ts';
import { looksAsync, readPrefer } from '../calls/prefer.ts';
import { readSchedule } from '../calls/schedule.ts';
import { outcomeOf, runSyncCall, toCallRequest } from '../calls/sync-call.ts';
import type { ApiDeps } from '../deps.ts';
import { type AnswerBudget, HeldAnswer } from '../limits/answer-budget.ts';
import { requireScope } from '../plugins/principal.ts';
import { toItemProblem } from '../plugins/problems.ts';
import { chargeBulk } from '../plugins/rate-limit.ts';
import { admitAccount } from '../plugins/require-account.ts';
import { requireRecord } from '../plugins/require-record.ts';
import { CALL_VALUES_MAX } from '../server/parse-json.ts';
import { sendPieces } from '../server/send-pieces.ts';

// Accepting all async calls at once would delay callers who wait.
const ACCEPTED_AT_ONCE = 8;

// How many unknown methods get suggestions, which take time.
const EXPLAINED = 5;

const NO_UPDATES_YET = '0000000000000000_0000000000000000';

/** `POST /workspaces/{workspaceId}/calls`: up to 100 calls, answered independently and in their order. */
export function addBulkCallRoute(app: FastifyInstance, deps: ApiDeps, answers: AnswerBudget): void {
  app.post(
    '/workspaces/:workspaceId/calls',
    {
      config: { traced: true, valuesMax: CALL_VALUES_MAX, releasesBody: true },
      onRequest: [
        requireRecord(deps.directory, 'workspaces', 'workspaceId'),
        requireScope('calls:write'),
        (request, _reply, done) => {
          const { id: workspaceId, organizationId } = request.record as Workspace;
          done(
            (isCheckedFirst(request) ? deps.admission.check({ workspaceId, organizationId }) : null) ??
              undefined,
          );
        },
      ],
    },
    (request, reply) => answerBulk(deps, answers, request, reply).finally(() => request.heldBody?.release()),
  );
}

async function answerBulk(
  deps: ApiDeps,
  answers: AnswerBudget,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const onlyValidate = isOnlyValidated(request.query);
  const wanted = readBulk(request.body);
  const { respondAsync } = readPrefer(request.headers.prefer);
  const { organizationId } = request.record as Workspace;
  const answerMemory = new BulkAnswerMemory(answers, reply.raw, organizationId);
  const held = new HeldAnswer(answers, reply.raw, organizationId);
  const problems = new BulkProblems(held);
  const bulk = { count: wanted.length, onlyValidate };
  let hasMade = false;
  const run = (call: CallRequest, index: number) => {
    hasMade = true;
    return respondAsync
      ? acceptOne(deps, request, call, held)
      : runOne(deps, call, index === 0 && isCheckedFirst(request), reply.raw, answerMemory);
  };
  await chargeBulk(deps, request, reply, wanted.length - 1, '/calls');
  const ids = wanted.map(() => newId('call'));
  const bytes = Math.ceil(request.bodyBytes / wanted.length);
  const checkExecuted = executionCheck(deps.directory.redis);
  // Each call listens for its `close`.
  reply.raw.setMaxListeners(0);
  const checks: Promise<void>[] = [];
  const answer = (one: unknown, index: number) => {
    const id = ids[index] as string;
    const prepared = prepare(deps, request, one, { id, bytes, explains: index < EXPLAINED, bulk });
    // Without its result, which would stay for as long as the list.
    if (request.heldBody !== null) checks.push(prepared.then(forget, forget));
    return onlyValidate
      ? validateOne(request, checkExecuted, prepared, id, problems)
      : answerOne(deps, request, traced(request, prepared), { id, index, problems }, run);
  };
  const done: BulkResult[] = [];
  const atOnce = respondAsync ? ACCEPTED_AT_ONCE : wanted.length;
  for (let at = 0; at < wanted.length; at += atOnce) {
    const group: Promise<BulkResult>[] = [];
    for (const [place, one] of wanted.slice(at, at + atOnce).entries()) {
      const turn = turnToCheck(request, at + place, bulk);
      if (turn !== null) await turn;
      group.push(answer(one, at + place));
    }
    if (at + atOnce >= wanted.length) letGo(request, wanted, checks);
    done.push(...(await Promise.all(group)));
  }
  problems.conclude(hasMade);
  if (respondAsync && !onlyValidate) reply.header('preference-applied', 'respond-async');
  reply.headers({ ...placeAfter(done), 'content-type': 'application/json' });
  return sendPieces(reply, resultTexts(done));
}

// All calls have their own params by now. Some may go on for long, and the others' would stay with them. The body counts until the last is
// checked, which may have to wait for its account and its turn.
function letGo(request: FastifyRequest, wanted: unknown[], checks: Promise<void>[]): void {
  wanted.length = 0;
  request.body = undefined;
  const { heldBody } = request;
  if (heldBody !== null) void Promise.all(checks).then(() => heldBody.release());
}

function forget(): void {}

async function answerOne(
  deps: ApiDeps,
  request: FastifyRequest,
  prepared: Promise<CallRequest>,
  { id, index, problems }: { id: string; index: number; problems: BulkProblems },
  run: (call: CallRequest, index: number) => Promise<Reply>,
): Promise<BulkResult> {
  const startedAt = performance.now();
  let call: CallRequest | null = null;
  const done = await prepared
    .then((one) => {
      call = one;
      return run(one, index);
    })
    .then((reply) => {
      if (reply.status === 0) throw new Problem('outcome_unknown');
      // A repeated async call gets the id of the first one.
      const callId = reply.headers['call-id'] ?? id;
      const { status, offset, body } = reply;
      return {
        callId,
        status,
        offset: status === 202 ? null : (offset ?? NO_UPDATES_YET),
        body: status < 400 ? body : placeProblem(body),
        outcome: outcomeOf(reply),
      };
    })
    .catch((error): BulkResult => {
      const problem = toItemProblem(request, error);
      if (call === null) return problems.refuse(problem, id);
      logFailure(deps.log, call, problem);
      return problems.fail(problem, id);
    });
  observe(deps, call, done, performance.now() - startedAt);
  return done;
}

async function validateOne(
  request: FastifyRequest,
  checkExecuted: CheckExecuted,
  prepared: Promise<CallRequest>,
  id: string,
  problems: BulkProblems,
): Promise<BulkResult> {
  try {
    const { driver, method } = await prepared;
    await checkExecuted(driver, method);
    return { callId: id, status: 200, offset: null, body: '{"valid":true}', outcome: 'ok' };
  } catch (error) {
    return problems.refuse(toItemProblem(request, error), id);
  }
}

/** Whether admission checks the first call with the request, before its body is read. */
function isCheckedFirst({ query, headers }: FastifyRequest): boolean {
  return (query as { validate?: unknown }).validate === undefined && !looksAsync(headers.prefer);
}

async function runOne(
  deps: ApiDeps,
  call: CallRequest,
  isChecked: boolean,
  caller: Caller,
  answerMemory: BulkAnswerMemory,
): Promise<Reply> {
  const problem = isChecked ? null : deps.admission.check(call);
  if (problem !== null) throw problem;
  return runSyncCall(deps, call, caller, answerMemory);
}

function acceptOne(
  deps: ApiDeps,
  request: FastifyRequest,
  call: CallRequest,
  held: HeldAnswer,
): Promise<Reply> {
  const schedule = readSchedule({}, deps.clock.now(), deps.config.ASYNC_CALL_EXPIRY_MS);
  const preference = { respondAsync: true, waitSeconds: null };
  return runAsyncCall(deps, call, schedule, preference, request, held);
}

function observe(
  { metrics }: ApiDeps,
  call: CallRequest | null,
  { status, outcome }: BulkResult,
  durationMs: number,
): void {
  if (call === null) return;
  const { method, driver, trace } = call;
  trace?.end({ 'http.response.status_code': status });
  metrics.observeCall({ method, driver, outcome, durationMs });
}

async function prepare(
  { directory, config }: ApiDeps,
  request: FastifyRequest,
  wanted: unknown,
  { id, bytes, explains, bulk }: { id: string; bytes: number; explains: boolean; bulk: Bulk },
): Promise<CallRequest> {
  const { accountId, method: name, params, idempotencyKey } = readBulkCall(wanted);
  const { workspaceId } = request.params as { workspaceId: string };
  let found = directory.accounts.peek(workspaceId, accountId);
  if (found === undefined) {
    found = await directory.accounts.find(workspaceId, accountId);
    await turnAfterLookUp(request, bulk);
  }
  const account = admitAccount(request.principal, found);
  const method = findMethod(name);
  if (method === null) throw unknownMethod(explains ? name : null);
  const checked = readParams(params, method);
  return toCallRequest(account, {
    ...{ id, method: name, params: checked, bytes, idempotencyKey },
    timeoutMs: config.CALL_TIMEOUT_MS,
  });
}

// Only a call that is made, for what begins its trace here ends with its answer.
async function traced({ trace }: FastifyRequest, prepared: Promise<CallRequest>): Promise<CallRequest> {
  const call = await prepared;
  call.trace = trace?.fork('call', callAttributes(call));
  return call;
}
