import { setTimeout as sleep } from 'node:timers/promises';
import { callEntry } from '../../ledger/entry.ts';
import { LEDGER_GRACE_MS } from '../../ledger/retention.ts';
import { settleCall } from '../../ledger/settle.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import type { PendingCall, SentBatch } from './pending-call.ts';

const RETRY_MS = 250;
// The ledger is kept only this long past a call's deadline. A lost connection is usually back sooner.
const ASK_FOR_MS = LEDGER_GRACE_MS;
const UNREAD_MS = 1_000;

/**
 * Settles a call that was sent: returns its recorded reply; null if the call never takes effect, which this makes certain; undefined if
 * Redis cannot be asked or no longer knows, or if the call was answered meanwhile.
 */
export async function askLedger(
  redis: RedisConnection,
  pending: PendingCall,
  batch: SentBatch,
): Promise<string | null | undefined> {
  const entry = callEntry(redis, pending.call, batch);
  for (
    const until = performance.now() + ASK_FOR_MS;
    pending.state !== 'ended' && performance.now() < until;
  ) {
    try {
      const recorded = await settleCall(redis, entry);
      if (recorded !== undefined) return recorded;
      // This process was suspended for long: the reply may still be unread on its stream.
      await sleep(UNREAD_MS);
      return undefined;
    } catch {
      await sleep(RETRY_MS);
    }
  }
  return undefined;
}
