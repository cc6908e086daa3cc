import type { CallableAccount } from '../../directory/accounts.ts';
import { claimIdempotencyKey } from '../../ledger/claim.ts';
import type { Problem } from '../../problem.ts';
import { decodeFrame, type Reply } from '../../queue/frame.ts';
import { toCallingAccount } from '../../queue/submit/account-orders.ts';
import type { Caller, CallRequest } from '../../queue/submit/pending-call.ts';
import type { TlMethod } from '../../tl/methods.ts';
import type { ApiDeps } from '../deps.ts';
import type { CallOutcome } from '../metrics.ts';

/** A call whose caller waits for its reply, checked in every way. */
export interface SyncCall {
  id: string;
  account: CallableAccount;
  method: TlMethod;
  params: object;
  /** What it weighs among the calls in flight. */
  bytes: number;
  idempotencyKey: string | null;
}

/** A reply, and whether it is one that an earlier call with the same Idempotency-Key has got. */
export interface SyncAnswer {
  reply: Reply;
  replayed: boolean;
}

/** Where the answers of calls are held until their caller has taken them. */
export interface AnswerRoom {
  /** Makes room for the answer of a call: at once, or once the promise resolves. Throws or rejects with a problem when there is none. */
  enter(call: SyncCall): Promise<void> | null;
  /** Ends what was entered, with the reply or without; gives a problem in the reply's place when that takes too much room. */
  leave(call: SyncCall, reply: Reply | null): Problem | null;
}

/** Runs a call and gives its reply; throws a `Problem` for one that has none. It is taken back when its caller is gone. */
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

/** What a call's status means in the books. */
export function outcomeOf(status: number): CallOutcome {
  if (status === 0) return 'failed';
  if (status < 400) return 'ok';
  if (status === 503 || status === 429) return 'overloaded';
  if (status === 504) return 'timeout';
  if (status < 500 || status === 507) return 'refused';
  return 'failed';
}
