import { ledgerKey } from '../redis/keys.ts';
import type { LedgerEntry } from '../state/commit.ts';

/** How an async call stands. `queued` is one that waits for its time, its turn or its next attempt. */
export const CALL_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'canceled', 'expired'] as const;

export type CallStatus = (typeof CALL_STATUSES)[number];

/** The ways in which a call ends without a result. */
export type FailedStatus = Exclude<CallStatus, 'queued' | 'running' | 'succeeded'>;

/** A call that nobody waits for, as it was accepted; times are ms since the epoch by Redis' clock. */
export interface AsyncCall {
  id: string;
  workspaceId: string;
  organizationId: string;
  messengerAccountId: string;
  method: string;
  params: object;
  /** What a `randomId` that was left out is derived from: the Idempotency-Key, or the first call that this one repeats. */
  seed: string;
  createdAt: number;
  scheduleAt: number | null;
  /** When it ends as `expired` unless it has been run by then. */
  expiresAt: number;
  /** The call that this one repeats. */
  replayOf: string | null;
  /** The API keys that stand behind it; absent for the root key. */
  makers?: readonly string[];
}

/** How long a call is kept once it has ended. */
export const KEPT_MS = 24 * 60 * 60 * 1_000;

const HOUR_MS = 60 * 60 * 1_000;

/** How long the record of a call stays that has ended. It is removed before that, and says then how many bytes the call has taken. */
export const RECORD_KEPT_MS = KEPT_MS + HOUR_MS;

// The ledger goes last: a record without it would look as if the call had not ended.
const LEDGER_KEPT_MS = RECORD_KEPT_MS + HOUR_MS;

/** Where the outcome of an async call is recorded, for a commit that may happen until `notAfter`. */
export function asyncLedgerEntry(workspaceId: string, callId: string, notAfter: number): LedgerEntry {
  return {
    workspaceId,
    ledger: ledgerKey(workspaceId, callId),
    field: 'reply',
    claim: '',
    notAfter,
    // Redis takes whole milliseconds only.
    ledgerExpiresAt: Math.ceil(notAfter) + LEDGER_KEPT_MS,
  };
}
