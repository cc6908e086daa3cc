import { aheadEntry } from '../../src/ledger/entry.ts';
import { commit } from '../../src/state/commit.ts';
import { Transaction } from '../../src/state/transaction.ts';
import type { Run } from './run.ts';

const DONE = '200 -\n{}';

/** Commits something before a call ends. A call that runs again finds it done. */
export async function commitAhead(
  { call, options, executor, reads }: Run,
  write: (tx: Transaction) => Promise<void>,
): Promise<void> {
  const tx = new Transaction(reads, call.workspaceId);
  await write(tx);
  const { kind } = await commit(executor.state, aheadEntry(call, options.entry), tx, { frame: DONE }, '');
  if (kind !== 'committed' && kind !== 'recorded') throw new Error(`nothing was committed ahead: ${kind}`);
}
