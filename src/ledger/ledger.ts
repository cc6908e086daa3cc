import type { RedisConnection } from '../redis/connections.ts';
import type { LedgerEntry } from '../state/commit.ts';
import { settleScript } from './settle-script.ts';

/** How long after `notAfter` a ledger entry stays: a worker that was only asleep may still wake up and try to commit. */
export const LEDGER_GRACE_MS = 5_000;

/**
 * The recorded reply of a call, or null once it is certain that the call has not run and never will; undefined when it is too
 * late to tell, because what would be recorded has gone.
 */
export async function settleCall(
  redis: RedisConnection,
  entry: LedgerEntry,
): Promise<string | null | undefined> {
  const { ledger, field, claim, ledgerExpiresAt } = entry;
  const settled = await settleScript.run(redis, [ledger], [field, claim, ledgerExpiresAt]);
  return settled === '' ? undefined : (settled as string | null);
}

/** The recorded reply of a call, `void`, or null when nothing is recorded yet. */
export async function findRecorded(redis: RedisConnection, entry: LedgerEntry): Promise<string | null> {
  return redis.hget(entry.ledger, entry.field);
}
