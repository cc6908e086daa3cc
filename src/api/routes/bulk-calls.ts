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
import { isOnlyValidated, readParams } from '../calls/call-body.ts';
import { type CheckExecuted, executionCheck, unknownMethod } from '../calls/call-method.ts';
import { logFailure } from '../calls/log-failure.ts';
import { looksAsync, readPrefer } from '../calls/prefer.ts';
import { readSchedule } from '../calls/schedule.ts';
import { outcomeOf, runSyncCall, toCallRequest } from '../calls/sync-call.ts';
import type { ApiDeps } from '../deps.ts';
import { type AnswerBudget, HeldAnswer } from '../limits/answer-budget.ts';
import type { OutcomeLabel } from '../metrics.ts';
import { requireScope } from '../plugins/principal.ts';
import { toProblem } from '../plugins/problems.ts';
import { chargeBulk } from '../plugins/rate-limit.ts';
import { admitAccount } from '../plugins/require-account.ts';
import { requireRecord } from '../plugins/require-record.ts';
import { LARGE_BODY_BYTES, largeBodies } from '../server/paced-tasks.ts';
import { CALL_VALUES_MAX } from '../server/parse-json.ts';
import { holderOf } from '../server/read-body.ts';
import { sendPieces } from '../server/send-pieces.ts';

// Accepting all async calls at once would delay callers who wait.
const ACCEPTED_AT_ONCE = 8;

// How many calls of a large body, or of one that is only validated, are checked in one turn.
const CHECKED_PER_TURN = 8;

// How many unknown methods get suggestions, which take time.
const EXPLAINED = 5;

const NO_UPDATES_YET = '0000000000000000_0000000000000000';

interface Done {
  callId: string;
  status: number;
  offset: string;
  /** JSON. */
  body: string;
  outcome: OutcomeLabel;
}

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
  const run = (call: CallRequest, index: number) =>
    respondAsync
      ? acceptOne(deps, request, call, held)
      : runOne(deps, call, index === 0 && isCheckedFirst(request), reply.raw, answerMemory);
  await chargeBulk(deps, request, reply, wanted.length - 1, '/calls');
  const ids = wanted.map(() => newId('call'));
  const bytes = Math.ceil(request.bodyBytes / wanted.length);
  const checkExecuted = executionCheck(deps.directory.redis);
  // Each call listens for its `close`.
  reply.raw.setMaxListeners(0);
  const answer = (one: unknown, index: number) => {
    const id = ids[index] as string;
    const prepared = prepare(deps, request, one, id, bytes, index < EXPLAINED);
    return onlyValidate
      ? validateOne(checkExecuted, prepared, id)
      : answerOne(deps, traced(request, prepared), id, index, run);
  };
  const done: Done[] = [];
  const atOnce = respondAsync ? ACCEPTED_AT_ONCE : wanted.length;
  for (let at = 0; at < wanted.length; at += atOnce) {
    const group: Promise<Done>[] = [];
    for (const [place, one] of wanted.slice(at, at + atOnce).entries()) {
      const turn = turnToCheck(request, place, onlyValidate);
      if (turn !== null) await turn;
      group.push(answer(one, at + place));
    }
    if (at + atOnce >= wanted.length) letGo(request, wanted);
    done.push(...(await Promise.all(group)));
  }
  if (respondAsync && !onlyValidate) reply.header('preference-applied', 'respond-async');
  reply.headers({ ...placeAfter(done, respondAsync), 'content-type': 'application/json' });
  return sendPieces(reply, resultTexts(done));
}

// Null if the call of this place need not wait. Nothing refuses validations while there is much to do, so even the first one waits.
function turnToCheck(request: FastifyRequest, place: number, onlyValidate: boolean): Promise<void> | null {
  const isPaced = onlyValidate || (request.bodyBytes > LARGE_BODY_BYTES && place > 0);
  return isPaced && place % CHECKED_PER_TURN === 0 ? untilTurn(request) : null;
}

async function untilTurn(request: FastifyRequest): Promise<void> {
  await largeBodies.next(holderOf(request));
  if (request.raw.socket.destroyed) throw new Problem('canceled');
}

// Calls that have only been accepted say nothing of the stream.
function placeAfter(done: Done[], respondAsync: boolean): Record<string, string> {
  const newest = done
    .map(({ offset }) => offset)
    .toSorted()
    .at(-1) as string;
  return respondAsync && newest === NO_UPDATES_YET ? {} : { 'stream-next-offset': newest };
}

// All calls have their own params by now. Some may go on for long, and the others' would stay with them.
function letGo(request: FastifyRequest, wanted: unknown[]): void {
  wanted.length = 0;
  request.body = undefined;
  request.heldBody?.release();
}

function* resultTexts(done: Done[]): Generator<string> {
  for (const [index, { callId, status, body }] of done.entries()) {
    const before = index === 0 ? '{"results":[' : ',';
    yield `${before}{"callId":"${callId}","status":${status},"body":${body}}`;
  }
  yield ']}';
}

async function answerOne(
  deps: ApiDeps,
  prepared: Promise<CallRequest>,
  id: string,
  index: number,
  run: (call: CallRequest, index: number) => Promise<Reply>,
): Promise<Done> {
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
        offset: offset ?? NO_UPDATES_YET,
        body: status < 400 ? body : placeProblem(body),
        outcome: outcomeOf(reply),
      };
    })
    .catch((error): Done => {
      const problem = toProblem(error);
      if (call !== null) logFailure(deps.log, call, problem);
      return toDone(problem, id);
    });
  observe(deps, call, done, performance.now() - startedAt);
  return done;
}

async function validateOne(
  checkExecuted: CheckExecuted,
  prepared: Promise<CallRequest>,
  id: string,
): Promise<Done> {
  try {
    const { driver, method } = await prepared;
    await checkExecuted(driver, method);
    return { callId: id, status: 200, offset: NO_UPDATES_YET, body: '{"valid":true}', outcome: 'ok' };
  } catch (error) {
    return toDone(toProblem(error), id);
  }
}

function toDone(problem: Problem, callId: string): Done {
  const { status } = problem;
  const body = JSON.stringify(problem);
  return { callId, status, offset: NO_UPDATES_YET, body, outcome: outcomeOf(problem) };
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
  { status, outcome }: Done,
  durationMs: number,
): void {
  if (call === null) return;
  const { method, driver, trace } = call;
  trace?.end({ 'http.response.status_code': status });
  metrics.observeCall({ method, driver, outcome, durationMs });
}

async function prepare(
  { directory, config }: ApiDeps,
  { principal, params: path }: FastifyRequest,
  wanted: unknown,
  id: string,
  bytes: number,
  explains: boolean,
): Promise<CallRequest> {
  const { accountId, method: name, params, idempotencyKey } = readBulkCall(wanted);
  const { workspaceId } = path as { workspaceId: string };
  const account = admitAccount(principal, await directory.accounts.find(workspaceId, accountId));
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
