import { commandScope, type RedisConnection } from '../redis/connections.ts';
import { batchLedgerKey, ledgerKey } from '../redis/keys.ts';
import { ASYNC_RETENTION_MS, KEYED_RETENTION_MS, LEDGER_GRACE_MS } from './retention.ts';

/**
 * Records what became of a call, so that the call takes effect at most once and no other outcome is ever reported. An entry is a field of a
 * hash. Each transition is made by one script, atomically with the script's other effects:
 *
 *   from     to       by                     when
 *   absent   done     commit                 a call without an Idempotency-Key takes effect, or fails for good
 *   absent   void     settle                 such a call was given up: it has not run and never will
 *   absent   claimed  claim                  a call with an Idempotency-Key arrives
 *   claimed  done     commit                 it takes effect, or fails for good, while the entry still holds its claim
 *   claimed  absent   settle, release        the attempt was given up: without its claim it cannot commit
 *   claimed  absent   commit                 it changed nothing, in a full workspace: it may run again
 *   done     claimed  claim                  the key is used again and the reply was not kept, because the call only reads
 *   absent   done     accept (async calls)   an async call was accepted under the key: the reply is its 202
 *   any      absent   Redis                  at `ledgerExpiresAt`: from then on nobody may report that the call never ran
 *
 * Apart from this expiry and the reads that are claimed again, `done` and `void` are final. A driver whose messenger is not in Redis will
 * need a state `sent` before `done`: once a call is sent, nobody may void its entry.
 */
export interface LedgerEntry {
  workspaceId: string;
  /** Key of the ledger hash and the field in it. */
  ledger: string;
  field: string;
  /** The value that the field must hold for the commit to pass; empty for a call without an Idempotency-Key. */
  claim: string;
  /** Until when the call may take effect: ms since the epoch, Redis' clock. */
  notAfter: number;
  ledgerExpiresAt: number;
}

/** The call that an entry belongs to. */
interface LedgerCall {
  id: string;
  workspaceId: string;
  notAfter: number;
  /** The claim of its Idempotency-Key; absent for a call without one. */
  key?: { ledger: string; claim: string };
}

/** The entry of a call that travels in a batch: its own field of the batch's ledger, or that of its Idempotency-Key. */
export function callEntry(
  redis: RedisConnection,
  call: LedgerCall,
  batch: { id: string; ledgerExpiresAt: number },
): LedgerEntry {
  const { id: field, workspaceId, notAfter, key } = call;
  if (key) {
    const ledgerExpiresAt = notAfter + KEYED_RETENTION_MS;
    const ledger = ledgerKey(workspaceId, key.ledger);
    return { workspaceId, notAfter, ledger, field: 'reply', claim: key.claim, ledgerExpiresAt };
  }
  const ledger = batchLedgerKey(commandScope(redis, workspaceId), batch.id);
  return { workspaceId, notAfter, ledger, field, claim: '', ledgerExpiresAt: batch.ledgerExpiresAt };
}

/** The entry of a call that travels in no batch. */
export function ownEntry({ id: field, workspaceId, notAfter }: LedgerCall): LedgerEntry {
  const ledgerExpiresAt = Math.ceil(notAfter) + LEDGER_GRACE_MS;
  return { workspaceId, notAfter, ledger: ledgerKey(workspaceId, field), field, claim: '', ledgerExpiresAt };
}

/** The entry of an async call whose commit must happen by `notAfter`. */
export function asyncEntry(workspaceId: string, callId: string, notAfter: number): LedgerEntry {
  return {
    workspaceId,
    ledger: ledgerKey(workspaceId, callId),
    field: 'reply',
    claim: '',
    notAfter,
    // Redis accepts only whole milliseconds.
    ledgerExpiresAt: Math.ceil(notAfter) + ASYNC_RETENTION_MS,
  };
}

/** The entry that records a commit made before the call's own. Later attempts at an async call find it too. */
export function aheadEntry(call: LedgerCall, entry: LedgerEntry): LedgerEntry {
  const field = `${call.id}#ahead`;
  return entry.claim === '' ? { ...entry, field } : { ...ownEntry(call), field };
}

/**
 * The entry that records the injected fault of a call. Each attempt at an async call has its own, by its number; one that a stopping worker
 * interrupts shares it with its repetition. Faults are never recorded under the claim of an Idempotency-Key: they would then be kept as long
 * as outcomes are.
 */
export function faultEntry(call: LedgerCall, entry: LedgerEntry, attempt: number | null): LedgerEntry {
  const field = `${call.id}#fault`;
  if (attempt !== null) return { ...ownEntry({ ...call, id: `${call.id}-fault-${attempt}` }), field };
  return entry.claim === '' ? { ...entry, field } : { ...ownEntry(call), field };
}
