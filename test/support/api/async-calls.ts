import { acceptCall } from '../../../src/async-calls/accept-call.ts';
import type { AsyncCall } from '../../../src/async-calls/async-call.ts';
import { recordCallWorkspace } from '../../../src/async-calls/call-workspace.ts';
import { markDue } from '../../../src/async-calls/due-workspaces.ts';
import { addFailure, addSuccess } from '../../../src/async-calls/end-call.ts';
import { newId } from '../../../src/ids.ts';
import { asyncEntry } from '../../../src/ledger/entry.ts';
import { Problem } from '../../../src/problem.ts';
import type { RedisConnection } from '../../../src/redis/connections.ts';
import { commit } from '../../../src/state/commit.ts';
import { Transaction } from '../../../src/state/transaction.ts';

/** What a test wants of a call that is kept. */
export interface WantedCall {
  organizationId: string;
  workspaceId: string;
  accountId: string;
  params?: object;
  /** Its result, or `failed` for a call that ended without one; left out, the call waits for its time. */
  result?: object | 'failed';
  /** Whether it may run now, and its job is to be added; otherwise in an hour. */
  isDue?: boolean;
  /** The ids of the API keys behind it. */
  makers?: string[];
}

const HOUR_MS = 3_600_000;

/** Records an async call as the service does, without a worker, and gives its id. */
export async function storeCall(redis: RedisConnection, wanted: WantedCall): Promise<string> {
  const { organizationId, workspaceId, accountId, params = {}, result, isDue = false, makers } = wanted;
  const now = Date.now();
  const call: AsyncCall = {
    id: newId('call'),
    workspaceId,
    organizationId,
    messengerAccountId: accountId,
    method: 'help.getSupport',
    params,
    seed: newId('call'),
    createdAt: now,
    scheduleAt: isDue ? null : now + HOUR_MS,
    expiresAt: now + 2 * HOUR_MS,
    replayOf: null,
    ...(makers && { makers }),
  };
  await Promise.all([
    recordCallWorkspace(redis, call.id, workspaceId, now + 3 * HOUR_MS),
    markDue(redis, workspaceId, now + HOUR_MS),
  ]);
  await acceptCall(redis, call, null, { openMax: 1_000_000, bytesMax: 2 ** 40 });
  if (result !== undefined) await endStoredCall(redis, call, result);
  return call.id;
}

/** Ends a recorded call as a worker does. */
export async function endStoredCall(
  redis: RedisConnection,
  call: AsyncCall,
  result: object | Problem | 'failed',
): Promise<void> {
  const { workspaceId } = call;
  const tx = new Transaction(redis, workspaceId);
  const problem = result === 'failed' ? new Problem('messenger_failed') : result;
  const hasFailed = problem instanceof Problem;
  const outcome = hasFailed ? addFailure(tx, call, 'failed', problem) : { result: JSON.stringify(result) };
  if (!hasFailed) addSuccess(tx, call, JSON.stringify(result));
  const entry = asyncEntry(workspaceId, call.id, Date.now() + 60_000);
  const { kind } = await commit(redis, entry, tx, outcome, '');
  if (kind !== 'committed') throw new Error(`the commit was ${kind}`);
}
