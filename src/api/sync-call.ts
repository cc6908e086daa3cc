import { toCallingAccount } from '../queue/account-orders.ts';
import { decodeFrame, type Reply } from '../queue/frame.ts';
import type { Caller, CallRequest } from '../queue/pending-call.ts';
import type { CallableAccount } from '../store/accounts.ts';
import { claimIdempotencyKey } from '../store/idempotency.ts';
import type { TlMethod } from '../tl/methods.ts';
import type { ApiDeps } from './deps.ts';
import type { CallOutcome } from './metrics.ts';

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

/** Runs a call and gives its reply; throws a `Problem` for one that has none. It is taken back when its caller is gone. */
export async function runSyncCall(
  { config, clock, directory, calls }: ApiDeps,
  { id, account, method, params, bytes, idempotencyKey }: SyncCall,
  caller: Caller,
): Promise<SyncAnswer> {
  const timeoutMs = config.CALL_TIMEOUT_MS;
  let key: { ledger: string; claim: string; seed: string } | undefined;
  if (idempotencyKey !== null) {
    const claim = await claimIdempotencyKey(directory.redis, {
      workspaceId: account.workspaceId,
      accountId: account.id,
      key: idempotencyKey,
      method: method.name,
      params,
      attempt: id,
      notAfter: clock.now() + timeoutMs,
    });
    if ('replay' in claim) return { reply: decodeFrame(claim.replay), replayed: true };
    key = claim;
  }
  const request: CallRequest = {
    id,
    workspaceId: account.workspaceId,
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
  return { reply: await calls.submit(request, caller), replayed: false };
}

/** What a call's status means in the books. */
export function outcomeOf(status: number): CallOutcome {
  if (status === 0) return 'failed';
  if (status < 400) return 'ok';
  if (status === 503 || status === 429) return 'overloaded';
  if (status === 504) return 'timeout';
  if (status < 500) return 'refused';
  return 'failed';
}
