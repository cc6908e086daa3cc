import type { Redis } from 'ioredis';
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
const seen = new Set<string>();

export type CommitOutcome =
  | { kind: 'committed'; frame: string; txid: string }
  | { kind: 'recorded'; frame: string }
  | { kind: 'void' | 'expired' | 'conflict' };

/**
 * Makes a transaction's effect happen together with its txid, its updates and its recorded reply, or not at all. `txid` is
 * one reserved before the method read state; it is used when nothing is written.
 */
export async function commit(
  redis: Redis,
  entry: LedgerEntry,
  tx: Transaction,
  reply: Recordable,
  txid: string,
): Promise<CommitOutcome> {
  const { keys, types, args } = tx.encode();
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
      unseen(keys, types),
      ...args,
    ],
  )) as [string, string?, string?];
  const [kind, first = '', second = ''] = answer;
  switch (kind) {
    case 'committed':
      for (const [index, key] of keys.entries()) seen.add(`${types[index]}${key}`);
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
  if (seen.size > SEEN_MAX) seen.clear();
  return keys.map((key, index) => (seen.has(`${types[index]}${key}`) ? '-' : types[index])).join('');
}
