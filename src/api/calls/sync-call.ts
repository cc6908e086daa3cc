import type { CallableAccount } from '../../directory/accounts.ts';
import { claimIdempotencyKey, hasReply } from '../../ledger/claim.ts';
import { Problem } from '../../problem.ts';
import { decodeFrame, type Reply } from '../../queue/frame.ts';
import { takeTime } from '../../queue/submit/held-calls.ts';
import type { Caller, CallRequest } from '../../queue/submit/pending-call.ts';
import { toCallingAccount } from '../../queue/wire.ts';
import type { ApiDeps } from '../deps.ts';
import type { OutcomeLabel } from '../metrics.ts';

/** Memory for answers until the caller has read them. */
export interface AnswerMemory {
  /**
   * Reserves memory for the answer of a call. Returns null if it is reserved at once, else a promise that resolves once it is. Throws a
   * problem, or rejects with it, if there is no memory.
   */
  reserve(call: CallRequest): Promise<void> | null;
  /**
   * Replaces a call's reservation with the bytes of its reply; with none if `reply` is null. Returns the problem to send instead of a reply
   * for which there is no room, else null.
   */
  hold(call: CallRequest, reply: Reply | null): Problem | null;
}

/** Makes the request for the gateway from a call for an account. */
export function toCallRequest(
  account: CallableAccount,
  call: Pick<CallRequest, 'id' | 'method' | 'params' | 'bytes' | 'idempotencyKey' | 'timeoutMs' | 'trace'>,
): CallRequest {
  const { workspaceId, organizationId, driver, lane, caps } = account;
  const { id, method, params, bytes, idempotencyKey, timeoutMs, trace } = call;
  return {
    id,
    workspaceId,
    organizationId,
    account: toCallingAccount(account),
    driver,
    method,
    kind: 'method',
    params,
    lane,
    bytes,
    timeoutMs,
    caps,
    idempotencyKey,
    trace,
  };
}

/**
 * Runs a call and resolves with its reply; throws a `Problem`, or rejects with it, if there is none. The call is canceled if the caller
 * disconnects.
 */
// Neither an async function nor closures: most calls wait for nothing before they are submitted, and every call would pay for them.
export function runSyncCall(
  deps: ApiDeps,
  call: CallRequest,
  caller: Caller,
  answerMemory: AnswerMemory,
): Promise<Reply> {
  const preparing = prepare(deps, call, caller, answerMemory);
  if (preparing === null) return submit(deps, call, caller, answerMemory);
  return preparing.then(submit.bind(null, deps, call, caller, answerMemory));
}

/** Waits while a call is paused, and reserves memory for its answer. Null if it need not wait. */
function prepare(
  deps: ApiDeps,
  call: CallRequest,
  caller: Caller,
  answerMemory: AnswerMemory,
): Promise<void> | null {
  const passing =
    call.idempotencyKey === null ? deps.held.pass(call, caller) : passUnlessRepeat(deps, call, caller);
  return passing === null ? reserve(call, answerMemory) : reserveAfter(passing, call, answerMemory);
}

async function passUnlessRepeat(deps: ApiDeps, call: CallRequest, caller: Caller): Promise<void> {
  // Ask, and wait for the end of the pause, before memory for the answer is reserved: running calls need that memory.
  if (!(await isPausedRepeat(deps, call, call.lane))) await deps.held.pass(call, caller);
}

async function reserveAfter(
  passing: Promise<void>,
  call: CallRequest,
  answerMemory: AnswerMemory,
): Promise<void> {
  await passing;
  await reserve(call, answerMemory);
}

function reserve(call: CallRequest, answerMemory: AnswerMemory): Promise<void> | null {
  const granted = answerMemory.reserve(call);
  return granted === null ? null : granted.then(takeTime.bind(null, call, performance.now()));
}

function submit(
  deps: ApiDeps,
  call: CallRequest,
  caller: Caller,
  answerMemory: AnswerMemory,
): Promise<Reply> {
  const { idempotencyKey: key } = call;
  const replied = key === null ? deps.calls.submit(call, caller) : submitOnce(deps, call, caller, key);
  return replied.then(
    (reply) => {
      const problem = answerMemory.hold(call, reply);
      if (problem !== null) throw problem;
      return reply;
    },
    (error) => {
      answerMemory.hold(call, null);
      throw error;
    },
  );
}

async function submitOnce(deps: ApiDeps, call: CallRequest, caller: Caller, key: string): Promise<Reply> {
  const since = performance.now();
  const claim = async () => {
    if (caller.destroyed) throw new Problem('canceled');
    if (performance.now() - since > call.timeoutMs) throw new Problem('call_timeout');
    takeTime(call, since);
    return claimKey(deps, call, key);
  };
  const claimInTurn = () => deps.claims.run(call.organizationId, claim);
  // Calls that wait for their claims are in flight too: without a bound, they would pile up.
  const replay = await deps.admission.holding(call, call.bytes, claimInTurn, false);
  return replay ?? deps.calls.submit(call, caller);
}

/** Whether a call is paused, and a reply is recorded under its Idempotency-Key. It then gets that reply in spite of the pause. */
export async function isPausedRepeat(
  { control, directory }: ApiDeps,
  call: CallRequest,
  lane: Parameters<ApiDeps['control']['pauses']['find']>[1],
): Promise<boolean> {
  const { workspaceId, account, method, params, idempotencyKey: key } = call;
  if (key === null || control.pauses.find(call, lane) === null) return false;
  return hasReply(directory.redis, { workspaceId, accountId: account.id, key, method, params });
}

/** Claims the key for the call, or returns the reply of an earlier call with the key. */
async function claimKey(deps: ApiDeps, call: CallRequest, key: string): Promise<Reply | null> {
  const { id: callId, workspaceId, account, method, params, timeoutMs } = call;
  const claim = await claimIdempotencyKey(deps.directory.redis, {
    workspaceId,
    accountId: account.id,
    key,
    method,
    params,
    callId,
    processName: deps.calls.processName,
    notAfter: deps.clock.now() + timeoutMs,
  });
  if ('replay' in claim) return { ...decodeFrame(claim.replay), isReplay: true };
  call.key = claim;
  return null;
}

// The codes of calls that are turned away before they run: too many, paused, or the process stops.
const TURNED_AWAY: ReadonlySet<string> = new Set(['overloaded', 'rate_limited', 'paused', 'shutting_down']);

/** The outcome under which the metrics count an answer: the reply of a worker, or a problem that was thrown here. */
export function outcomeOf(answer: Reply | Problem): OutcomeLabel {
  const { status } = answer;
  if (answer instanceof Problem && TURNED_AWAY.has(answer.code)) return 'overloaded';
  // The connection is closed without an answer.
  if (status === 0) return 'failed';
  if (status < 400) return 'ok';
  if (status === 504) return 'timeout';
  // 501 and 507 are about the call and its workspace, not about this service. A 429 of a worker is the messenger's.
  if (status < 500 || status === 501 || status === 507) return 'refused';
  return 'failed';
}
