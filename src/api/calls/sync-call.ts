import type { CallableAccount } from '../../directory/accounts.ts';
import { claimIdempotencyKey } from '../../ledger/claim.ts';
import type { Problem } from '../../problem.ts';
import { decodeFrame, type Reply } from '../../queue/frame.ts';
import { toCallingAccount } from '../../queue/submit/account-orders.ts';
import type { Caller, CallRequest } from '../../queue/submit/pending-call.ts';
import type { TlMethod } from '../../tl/methods.ts';
import type { ApiDeps } from '../deps.ts';
import type { CallOutcome } from '../metrics.ts';

/** A sync call, validated. */
export interface SyncCall {
  id: string;
  account: CallableAccount;
  method: TlMethod;
  params: object;
  /** What it counts in the bytes in flight. */
  bytes: number;
  idempotencyKey: string | null;
}

/** A reply, and whether it was recorded for an earlier call with the same Idempotency-Key. */
export interface SyncAnswer {
  reply: Reply;
  replayed: boolean;
}

/** Memory for answers until the caller has read them. */
export interface AnswerRoom {
  /**
   * Reserves memory for the answer of a call, now or once the promise resolves. Throws or rejects with a problem if there is
   * none.
   */
  enter(call: SyncCall): Promise<void> | null;
  /** Settles the reservation, with the reply or without one. Gives a problem to send instead of a reply that is too large. */
  leave(call: SyncCall, reply: Reply | null): Problem | null;
}

/** Runs a call and gives its reply; throws a `Problem` if there is none. The call is withdrawn if the caller disconnects. */
export async function runSyncCall(
  deps: ApiDeps,
  call: SyncCall,
  caller: Caller,
  room: AnswerRoom,
): Promise<SyncAnswer> {
  const turn = room.enter(call);
  if (turn !== null) await turn;
  let reply: Reply;
  let replayed = false;
  try {
    const claim = call.idempotencyKey === null ? undefined : await claimKey(deps, call, call.idempotencyKey);
    if (claim !== undefined && 'replay' in claim) {
      reply = decodeFrame(claim.replay);
      replayed = true;
    } else {
      reply = await deps.calls.submit(toRequest(call, deps.config.CALL_TIMEOUT_MS, claim), caller);
    }
  } catch (error) {
    room.leave(call, null);
    throw error;
  }
  const problem = room.leave(call, reply);
  if (problem !== null) throw problem;
  return { reply, replayed };
}

function claimKey(
  { config, clock, directory, calls }: ApiDeps,
  { id, account, method, params }: SyncCall,
  key: string,
) {
  return claimIdempotencyKey(directory.redis, {
    workspaceId: account.workspaceId,
    accountId: account.id,
    key,
    method: method.name,
    params,
    callId: id,
    processName: calls.processName,
    notAfter: clock.now() + config.CALL_TIMEOUT_MS,
  });
}

function toRequest(
  { id, account, method, params, bytes }: SyncCall,
  timeoutMs: number,
  key: CallRequest['key'],
): CallRequest {
  const request: CallRequest = {
    id,
    workspaceId: account.workspaceId,
    organizationId: account.organizationId,
    account: toCallingAccount(account),
    driver: account.driver,
    method: method.name,
    kind: 'method',
    params,
    lane: account.lane,
    bytes,
    timeoutMs,
    caps: account.caps,
  };
  if (key !== undefined) request.key = key;
  return request;
}

/** The outcome that the metrics count a status as. */
export function outcomeOf(status: number): CallOutcome {
  if (status === 0) return 'failed';
  if (status < 400) return 'ok';
  if (status === 503 || status === 429) return 'overloaded';
  if (status === 504) return 'timeout';
  if (status < 500 || status === 507) return 'refused';
  return 'failed';
}
