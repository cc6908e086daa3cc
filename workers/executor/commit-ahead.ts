import { aheadEntry } from '../../src/ledger/entry.ts';
import { Transaction } from '../../src/state/transaction.ts';
import { commitRun } from './commit-run.ts';
import type { Run } from './run.ts';

const DONE = '200 -\n{}';

/** Commits something before a call's own commit. A call that runs again does not repeat it. */
export async function commitAhead(run: Run, write: (tx: Transaction) => Promise<void>): Promise<void> {
  const { call, options, reads } = run;
  const tx = new Transaction(reads, call.workspaceId);
  await write(tx);
  options.trace?.hop(`run ${call.method}`);
  run.changes += tx.changes;
  const { kind } = await commitRun(run, aheadEntry(call, options.entry), tx, { frame: DONE }, '');
  if (kind !== 'committed' && kind !== 'recorded') throw new Error(`nothing was committed ahead: ${kind}`);
  run.hasCommittedAhead = true;
}
