import type { FastifyRequest } from 'fastify';
import type { Collection, Records } from '../../directory/collections.ts';
import { type ChildPolicy, deleteRecord } from '../../directory/delete-record.ts';
import { LEDGER_GRACE_MS } from '../../ledger/retention.ts';
import { Problem } from '../../problem.ts';
import { isMemoryFull } from '../../redis/memory-watch.ts';
import { eraseLines } from '../../webhooks/line-keys.ts';
import type { ApiDeps } from '../deps.ts';

// A request whose key was accepted may take this long.
const REQUEST_MS = 60_000;

/** Whether a deletion includes the records below; null if the caller does not say. */
type Cascade = boolean | null;

/**
 * Deletes a record, and the records below it as `cascade` says. When this resolves, they are no longer visible; workers erase their data.
 * Throws `not_empty` if a record below it prevents that. `check` sees the record as it is when it is deleted, and may throw. Returns
 * whether it was there: of several deletions at once one finds it, and more only if the connection to Redis was lost meanwhile.
 */
export async function deleteTree<C extends Collection>(
  deps: ApiDeps,
  request: FastifyRequest,
  collection: C,
  record: Records[C],
  { cascade, check }: { cascade: Cascade; check: ((record: Records[C]) => void) | null },
): Promise<boolean> {
  const { directory, accountControl, orders } = deps;
  const { redis } = directory;
  check?.(record);
  let children = childPolicyOf(collection, cascade);
  const isConnecting = 'status' in record && record.status === 'connecting';
  // If the record may still turn out to have changed, a worker disconnects it, once the deletion is certain. So it does if the driver may
  // still connect it.
  if (collection === 'messenger-accounts' && (check !== null || isConnecting)) children = 'erase';
  else if (collection === 'messenger-accounts') {
    children = 'refuse';
    const account = record as Records['messenger-accounts'];
    const disconnect = (signal: AbortSignal) => accountControl.disconnectAccount(account, signal);
    await orders.run(request, account, disconnect).catch(async (error) => {
      const isRefused = error instanceof Problem && error.code === 'unauthorized';
      // Orders are calls and need memory: a worker disconnects the account once Redis has some.
      if (isRefused || !(await isMemoryFull(redis))) throw error;
      children = 'erase';
    });
  }
  const isDeleted = await deleteRecord(redis, collection, record, {
    children,
    // Nothing adds to the data of a deleted webhook.
    overAt: collection === 'webhooks' ? 0 : deletionOverAt(deps),
    check,
  });
  if (isDeleted) request.changed = null;
  // A worker does it as well, as this process may end, or lose Redis, before it has.
  if (collection === 'webhooks') await eraseLines(redis, record as Records['webhooks']);
  if (collection === 'messenger-accounts') directory.accounts.forget(record.id);
  else if (collection !== 'webhooks') directory.apiKeys.forgetAll();
  // Keys have no accounts: to delete many of them must not have this process look up all accounts each time.
  if (collection === 'organizations' || collection === 'workspaces') directory.accounts.forgetAll();
  return isDeleted;
}

/** When no request or call that is in flight now can add data to a deleted record any more: ms since the epoch, by Redis' clock. */
export function deletionOverAt({ clock, config }: ApiDeps): number {
  const runMs = Math.max(config.CALL_TIMEOUT_MS, config.ASYNC_CALL_RUN_MS) + LEDGER_GRACE_MS;
  return clock.now() + Math.max(runMs, REQUEST_MS);
}

function childPolicyOf(collection: Collection, cascade: Cascade): ChildPolicy {
  if (cascade === true) return 'erase';
  return cascade === false && collection === 'api-keys' ? 'keep' : 'refuse';
}
