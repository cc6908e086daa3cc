import { asyncEntry } from '../ledger/entry.ts';
import { KEPT_MS, RECORD_KEPT_MS } from '../ledger/retention.ts';
import { Problem } from '../problem.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { commit, type Recordable } from '../state/commit.ts';
import { COMMIT_TIME, enclose, lengthOf, type Template } from '../state/placeholder.ts';
import { Transaction } from '../state/transaction.ts';
import type { AsyncCall, CallStatus, FailedStatus } from './async-call.ts';
import { callName, EXPIRING, endedName, entryOf, PLACED, statusLists, WAITING } from './call-keys.ts';
import { recordCallWorkspace } from './call-workspace.ts';
import { markDue } from './due-workspaces.ts';

// The largest result in the event on the stream. A larger one is only in the call's record: all readers of the stream would receive it, and
// the stream is kept longer.
const RESULT_ON_STREAM_MAX = 64 * 1024;
// The largest result of an async call, which is kept for a day.
const RESULT_MAX = 1024 * 1024;

const END_WITHIN_MS = 10_000;

/** The problem of a call that is canceled because an API key behind it was deleted. */
export function keyDeleted(): Problem {
  return new Problem('canceled', { detail: 'The API key that has made the call was deleted.' });
}

/**
 * Adds a call's success to its transaction: the event on the update stream, and the move to the lists of its new status. Throws
 * `call_too_large` if the result is too large to be kept.
 */
export function addSuccess(tx: Transaction, call: AsyncCall, result: Template): void {
  const { messengerAccountId, id, method } = call;
  if (lengthOf(result) > RESULT_MAX) {
    const detail = `The result has more than ${RESULT_MAX} characters, which an async call cannot keep, and nothing was done. Ask for less at once, or make the call without \`Prefer: respond-async\`.`;
    throw new Problem('call_too_large', { detail });
  }
  const head = JSON.stringify({ _: 'call.succeeded', callId: id, method });
  const event =
    lengthOf(result) <= RESULT_ON_STREAM_MAX ? enclose(`${head.slice(0, -1)},"result":`, result, '}') : head;
  tx.event('call.succeeded', messengerAccountId, event);
  moveToEnded(tx, call, 'succeeded');
}

/** Adds the end of a call without a result to its transaction. Returns what to record as its outcome. */
export function addFailure(
  tx: Transaction,
  call: AsyncCall,
  status: FailedStatus,
  problem: Problem,
): Recordable {
  const { messengerAccountId, id, method } = call;
  const event = { _: 'call.failed', callId: id, method, status, error: problem };
  tx.event('call.failed', messengerAccountId, JSON.stringify(event));
  moveToEnded(tx, call, status);
  // The commit inserts this as the result, and closes the object with the txid, which is not known before.
  return { result: `null,"status":"${status}","error":${JSON.stringify(problem)}`, of: 'end' };
}

/** Ends a call without a result. False if it had ended already. */
export async function endCall(
  redis: RedisConnection,
  call: AsyncCall,
  status: FailedStatus,
  problem: Problem,
  now: number,
): Promise<boolean> {
  // The key that names its workspace has expired if no worker ran for days, and without it the call is not found by its id. If Redis'
  // memory is full, the key cannot be written, and the call ends all the same.
  if (status === 'expired')
    await recordCallWorkspace(redis, call.id, call.workspaceId, now + 2 * RECORD_KEPT_MS).catch(
      () => undefined,
    );
  const tx = new Transaction(redis, call.workspaceId);
  const outcome = addFailure(tx, call, status, problem);
  const entry = asyncEntry(call.workspaceId, call.id, now + END_WITHIN_MS);
  // A call that was scheduled in a month has made its workspace due only then, but its bytes are to be freed in a day.
  if (status === 'canceled') await markDue(redis, call.workspaceId, now + KEPT_MS).catch(() => undefined);
  const { kind } = await commit(redis, entry, tx, outcome, '');
  return kind === 'committed';
}

function moveToEnded(tx: Transaction, call: AsyncCall, status: CallStatus): void {
  const { id, messengerAccountId: accountId } = call;
  const entry = entryOf(id, accountId);
  for (const name of [WAITING, PLACED, EXPIRING]) tx.zrem(name, entry);
  for (const before of ['queued', 'running'] as const) {
    for (const name of statusLists(before, accountId)) tx.zrem(name, id);
  }
  for (const name of statusLists(status, accountId)) tx.zadd(name, 0, id);
  // The same time as the call's `finishedAt`: a caller that lists what has ended since the last call it saw misses none.
  tx.zadd(endedName(status), COMMIT_TIME, `${entry} ${status}`);
  tx.hdel(callName(id), 'running');
  tx.expire(callName(id), 'h', RECORD_KEPT_MS);
}
