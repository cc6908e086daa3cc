import type { RedisConnection } from '../redis/connections.ts';
import { ledgerKey, metaKey, updatesKey, wakeChannel } from '../redis/keys.ts';
import { commitScript } from '../redis/scripts/commit.ts';
import type { Transaction } from './transaction.ts';

/** Where a call's outcome is recorded, and until when the call may take effect (ms since the epoch, Redis' clock). */
export interface LedgerEntry {
  workspaceId: string;
  /** Name of the ledger hash and the field in it. */
  ledger: string;
  field: string;
  /** What the field must hold for the commit to happen; empty for a call without an Idempotency-Key. */
  claim: string;
  notAfter: number;
  ledgerExpiresAt: number;
}

/** The reply the commit records: a result to be put into the envelope, or a finished frame (of a failure). */
export type Recordable = { result: string } | { frame: string };

const SEEN_MAX = 100_000;

// Keys that a commit of this process has found to be of their type: it stays, so it need not be looked at each time.
const seen = new Map<string, string>();

export type CommitOutcome =
  | { kind: 'committed'; frame: string; txid: string }
  | { kind: 'recorded'; frame: string }
  | { kind: 'void' | 'expired' | 'conflict' };

/**
 * Makes a transaction's effect happen together with its txid, its updates and its recorded reply, or not at all. `txid` is
 * one reserved before the method read state; it is used when nothing is written.
 */
export async function commit(
  redis: RedisConnection,
  entry: LedgerEntry,
  tx: Transaction,
  reply: Recordable,
  txid: string,
): Promise<CommitOutcome> {
  const { keys, types, args } = tx.encode();
  const unknown = unseen(keys, types);
  const ws = entry.workspaceId;
  const isResult = 'result' in reply;
  const answer = (await commitScript.run(
    redis,
    [ledgerKey(ws, entry.ledger), metaKey(ws), updatesKey(ws), wakeChannel(ws), ...keys],
    [
      entry.field,
      entry.claim,
      entry.notAfter,
      entry.ledgerExpiresAt,
      txid,
      isResult ? 'result' : 'frame',
      isResult ? reply.result : reply.frame,
      unknown,
      ...args,
    ],
  )) as [string, string?, string?];
  const [kind, first = '', second = ''] = answer;
  switch (kind) {
    case 'committed':
      if (unknown !== '') noteTypes(keys, types, unknown);
      return { kind, frame: first, txid: second };
    case 'recorded':
      return { kind, frame: first };
    case 'void':
    case 'expired':
    case 'conflict':
      return { kind };
    default:
      throw new Error(`the commit was refused: ${first}`);
  }
}

function unseen(keys: string[], types: string): string {
  let letters = '';
  for (let i = 0; i < keys.length; i += 1) {
    letters += seen.get(keys[i] as string) === types[i] ? '-' : types[i];
  }
  return letters;
}

function noteTypes(keys: string[], types: string, unknown: string): void {
  if (seen.size > SEEN_MAX) seen.clear();
  for (let i = 0; i < keys.length; i += 1) {
    if (unknown[i] !== '-') seen.set(keys[i] as string, types[i] as string);
  }
}
