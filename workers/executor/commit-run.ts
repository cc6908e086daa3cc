import type { LedgerEntry } from '../../src/ledger/entry.ts';
import { type CommitOutcome, commit, type Recordable } from '../../src/state/commit.ts';
import type { Transaction } from '../../src/state/transaction.ts';
import type { Run } from './run.ts';

/** Commits a transaction of a run, as `commit` does. If the run is traced, the commit is a hop of its own. */
export function commitRun(
  { executor: { state: redis }, options: { trace } }: Run,
  entry: LedgerEntry,
  tx: Transaction,
  reply: Recordable,
  txid: string,
): Promise<CommitOutcome> {
  if (trace === undefined) return commit(redis, entry, tx, reply, txid);
  return commit(redis, entry, tx, reply, txid, trace.beginCommit()).then((outcome) => {
    trace.hop('commit', { attributes: { 'switchboard.commit.outcome': outcome.kind } });
    return outcome;
  });
}
