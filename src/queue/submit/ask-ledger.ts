import { setTimeout as sleep } from 'node:timers/promises';
import { callEntry } from '../../ledger/entry.ts';
import { LEDGER_GRACE_MS } from '../../ledger/retention.ts';
import { settleCall } from '../../ledger/settle.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import type { PendingCall, SentBatch } from './pending-call.ts';

const RETRY_MS = 250;
// Past a call's deadline the ledger is held no longer than this; a connection that was lost is back sooner.
const ASK_FOR_MS = LEDGER_GRACE_MS;
const UNREAD_MS = 1_000;

/**
 * What became of a call that was sent: its recorded reply, null when it never takes effect (which this sees to), undefined when
 * Redis cannot be asked or knows no more, or when the call has been answered meanwhile.
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
      // This process has slept for long: the reply may be on its stream, unread.
      await sleep(UNREAD_MS);
      return undefined;
    } catch {
      await sleep(RETRY_MS);
    }
  }
  return undefined;
}
