import { workspaceFull } from '../bytes/byte-budget.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { ReplyError } from '../redis/failure.ts';
import type { CommitSpan } from '../tracing/trace.ts';
import { batchCommit } from './batch-commits.ts';
import { READ_KEPT_MAX } from './commit-reply.ts';
import type { Template } from './placeholder.ts';
import type { KeyType, StateKey } from './state-key.ts';
import type { Transaction } from './transaction.ts';
import type { EncodedTransaction } from './transaction-types.ts';
import { indexCommitted, indexKeys } from './workspace-keys.ts';

/**
 * The kind of call that a result belongs to:
 * - `result`: a sync call
 * - `read`: a sync call that only reads, and so may run again
 * - `kept`: an async call, whose result is read later; `end`: the same, regardless of the workspace's byte budget
 * - `order`: an order of the management API, regardless of the byte budget
 */
export type ResultKind = 'result' | 'read' | 'kept' | 'end' | 'order';

/** The reply that the commit records: a result to be wrapped in the envelope, or the finished frame of a failure. */
export type Recordable = { result: Template; of?: ResultKind } | { frame: string };

// The beginning of a reply's JSON whose result is inserted after the commit.
const NO_RESULT = '{"result":';

export type CommitOutcome =
  | { kind: 'committed'; frame: string; txid: string }
  | { kind: 'recorded'; frame: string }
  | { kind: 'conflict' }
  | { kind: 'void' | 'expired' };

/**
 * Commits a transaction's effect together with its txid, its updates and its recorded reply, or nothing of them. `txid` was reserved before
 * the method read state; it is used if nothing is written, and `''` stands for a new one. Transactions committed in one turn of the event
 * loop reach Redis as one command (in a cluster, as one per workspace). Throws `CommitTooLarge`, and `workspace_full` if the workspace has
 * used its byte budget. `span` is the span of a traced call.
 */
export async function commit(
  redis: RedisConnection,
  entry: LedgerEntry,
  tx: Transaction,
  reply: Recordable,
  txid: string,
  span?: CommitSpan,
): Promise<CommitOutcome> {
  const apart = resultApart(tx, reply);
  const encoded = tx.encode(apart === null ? ('result' in reply ? reply.result : reply.frame) : '');
  indexKeys(redis, entry.workspaceId, encoded);
  const header = [
    entry.field,
    entry.claim,
    entry.notAfter,
    entry.ledgerExpiresAt,
    txid,
    'result' in reply ? (reply.of ?? 'result') : 'frame',
    encoded.reply,
    typesToCheck(encoded),
  ];
  const [kind, first, second] = await batchCommit(redis, entry, encoded, header, span);
  switch (kind) {
    case 'committed':
      span?.appended();
      rememberTypes(encoded);
      indexCommitted(redis, entry.workspaceId, encoded);
      return {
        kind,
        frame: apart === null ? first : first.replace(NO_RESULT, () => `${NO_RESULT}${apart}`),
        txid: second,
      };
    case 'recorded':
      return { kind, frame: first };
    case 'void':
    case 'expired':
    case 'conflict':
      return { kind };
    case 'full':
      throw await workspaceFull(redis, entry.workspaceId);
    case 'failed':
      throw new ReplyError(first);
    default:
      throw new Error(`the commit was refused: ${first}`);
  }
}

// The result of a read that is too long to be recorded. It is not sent to Redis: that would cost Redis more than the read did.
function resultApart(tx: Transaction, reply: Recordable): string | null {
  if (!('result' in reply) || reply.of !== 'read' || !tx.isEmpty) return null;
  const { result } = reply;
  return typeof result === 'string' && result.length > READ_KEPT_MAX ? result : null;
}

// One letter for each key, `-` if its type is known already; the empty string if all types are known.
function typesToCheck({ keys, types }: EncodedTransaction): string {
  if (keys.every(({ foundType }, i) => foundType === types[i])) return '';
  return keys.map(({ foundType }, i) => (foundType === types[i] ? '-' : types[i])).join('');
}

function rememberTypes({ keys, types }: EncodedTransaction): void {
  for (let i = 0; i < keys.length; i += 1) (keys[i] as StateKey).foundType = types[i] as KeyType;
}
