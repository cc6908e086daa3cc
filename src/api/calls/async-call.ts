import type { FastifyRequest } from 'fastify';
import type { AsyncCall } from '../../async-calls/async-call.ts';
import type { CallEnd } from '../../async-calls/find-call.ts';
import { makersBy } from '../../directory/principal.ts';
import { identifyKey } from '../../ledger/identify-key.ts';
import { decodeFrame, encodeFrame, type Reply } from '../../queue/frame.ts';
import type { CallRequest } from '../../queue/submit/pending-call.ts';
import type { ApiDeps } from '../deps.ts';
import { bytesOf, type HeldAnswer, tooManyUnread } from '../limits/answer-budget.ts';
import { callLocation } from '../records/location.ts';
import { type Preference, preferenceApplied } from './prefer.ts';
import type { Schedule } from './schedule.ts';
import { isPausedRepeat } from './sync-call.ts';
import { type AwaitedCall, untilCallEnded } from './until-call-ended.ts';

/**
 * Accepts a call and answers 202 with its id, or with its result if it ends within the preferred wait. A repeated Idempotency-Key returns
 * the first call. `request` is the caller's request, `answerBytes` what its response holds of the budget of answers.
 */
export async function runAsyncCall(
  deps: ApiDeps,
  wanted: CallRequest,
  schedule: Schedule,
  preference: Preference,
  request: FastifyRequest,
  answerBytes: HeldAnswer,
): Promise<Reply> {
  const { id, workspaceId, organizationId, account, method, params, bytes, idempotencyKey, trace } = wanted;
  const messengerAccountId = account.id;
  const key =
    idempotencyKey === null
      ? null
      : identifyKey(
          { accountId: messengerAccountId, key: idempotencyKey, method, params },
          scheduleText(schedule),
        );
  const call: AsyncCall = {
    id,
    workspaceId,
    organizationId,
    messengerAccountId,
    method,
    params,
    seed: key?.seed ?? id,
    createdAt: Math.floor(deps.clock.now()),
    scheduleAt: schedule.scheduleAt,
    expiresAt: Math.floor(schedule.expiresAt),
    replayOf: null,
    makers: makersBy(request.principal).makers,
    ...(trace === undefined ? {} : { trace: trace.context }),
  };
  // A pause does not keep a repeat from its recorded answer.
  if (!(await isPausedRepeat(deps, wanted, 'async'))) deps.held.check(wanted);
  trace?.hop('receive');
  const { overdue } = schedule;
  if (key === null && overdue !== null) throw overdue;
  const accept = () =>
    deps.asyncCalls.accept(call, key === null ? null : { ...key, frame: acceptedFrame(deps, id), overdue });
  // A scheduled call counts as arrived when it comes due.
  const isArrival = schedule.scheduleAt === null;
  const { replay } = await deps.admission.holding(wanted, bytes, accept, isArrival);
  trace?.hop('accept');
  if (replay !== null) {
    const reply = decodeFrame(replay);
    if (reply.status !== 202) {
      if (!tryHold(answerBytes, reply)) throw tooManyUnread();
      return { ...reply, isReplay: true };
    }
    const { id: firstId } = JSON.parse(reply.body) as { id: string };
    const first = { workspaceId, id: firstId, isKeyed: true, isReplay: true };
    return answer(deps, first, preference, request, answerBytes);
  }
  // Not awaited: this function would keep the params until the call ends.
  const made = { workspaceId, id, isKeyed: key !== null, isReplay: false };
  return answer(deps, made, preference, request, answerBytes);
}

// The same params at another time are another payload; without a schedule the payload is that of a sync call.
function scheduleText({ scheduleAt }: Schedule): string {
  return scheduleAt === null ? '' : `\n${scheduleAt}`;
}

/** The recorded answer of an accepted call. */
export function acceptedFrame({ config }: ApiDeps, id: string): string {
  const headers = { 'call-id': id, location: callLocation(config, id) };
  return encodeFrame(202, '', JSON.stringify({ id, status: 'queued' }), headers);
}

async function answer(
  deps: ApiDeps,
  { workspaceId, id, isKeyed, isReplay }: AwaitedCall & { isKeyed: boolean; isReplay: boolean },
  preference: Preference,
  request: FastifyRequest,
  answerBytes: HeldAnswer,
): Promise<Reply> {
  const waitMs = (preference.waitSeconds ?? 0) * 1_000;
  // If waiting fails, answer 202: the call has been accepted, and after an error the caller would repeat it.
  const call =
    waitMs === 0 ? null : await untilCallEnded(deps, request, { workspaceId, id }, waitMs).catch(() => null);
  const applied = preferenceApplied(preference);
  const headers: Record<string, string> = {
    // For a repeated call, this is the id of the first one.
    'call-id': id,
    location: callLocation(deps.config, id),
    ...(applied === '' ? {} : { 'preference-applied': applied }),
  };
  const replayed = isReplay ? ({ isReplay } as const) : {};
  const ended = call?.end ? endedReply(call.end, headers, isKeyed ? id : null) : null;
  if (ended !== null && tryHold(answerBytes, ended)) return { ...ended, ...replayed };
  // A result without room is answered like a wait that failed, where the status is not known.
  const status = ended === null ? (call?.status ?? 'queued') : 'queued';
  const body = JSON.stringify({ id, status });
  return { status: 202, offset: null, headers, body, ...replayed };
}

/** The reply of a call that has ended. `keyed` is its id if it has an Idempotency-Key: repeats with that get this reply, too. */
function endedReply(
  { error, offset, result, txid }: CallEnd,
  headers: Record<string, string>,
  keyed: string | null,
): Reply {
  if (error === null) return { status: 200, offset, headers, body: `{"result":${result},"txid":${txid}}` };
  const { retryAfter, ...problem } = error as { status: number; retryable: boolean; retryAfter?: number };
  const { status, retryable } = problem;
  if (retryable && keyed !== null) {
    const detail = `The call has failed for good, and a repeat with its \`Idempotency-Key\` is answered the same: replay it with POST /v1/calls/${keyed}/replay, or make another one with a new key.`;
    const body = JSON.stringify({ ...problem, detail, retryable: false });
    return { status, offset, headers, body, isFinal: true };
  }
  const more = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return { status, offset, headers: { ...headers, ...more }, body: JSON.stringify(error) };
}

// Holds the bytes of an answer; false if there is no room. It is recorded, so the caller can ask for it again.
function tryHold(answerBytes: HeldAnswer, { body }: Reply): boolean {
  return answerBytes.hold(0, bytesOf(body), true);
}
