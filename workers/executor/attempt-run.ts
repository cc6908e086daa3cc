import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../../src/problem.ts';
import { encodeFrame } from '../../src/queue/frame.ts';
import type { CommitOutcome, ResultKind } from '../../src/state/commit.ts';
import { encodeJson } from '../../src/state/placeholder.ts';
import { Transaction } from '../../src/state/transaction.ts';
import { isReadOnly } from '../../src/tl/is-read-only.ts';
import { commitRun } from './commit-run.ts';
import { type CallOutcome, hasToRecord, type Run, recordedOutcome } from './run.ts';
import { runMethod } from './run-method.ts';

const CONFLICTS_MAX = 60;
const BACKOFF_MAX_MS = 20;

// Orders that free bytes, and so must pass in a full workspace.
const FREEING_ORDERS = new Set(['disconnectAccount']);

/**
 * Runs the method of a call and commits its changes. Runs it again from the start as long as something it read has changed by the commit
 * (optimistic concurrency).
 */
export function attemptUntilCommitted(run: Run): Promise<CallOutcome> {
  return repeatOnConflict(() => attempt(run));
}

/** Repeats `act` while it returns null, which means a conflict. Throws `overloaded` after too many conflicts. */
export async function repeatOnConflict<T>(act: () => Promise<T | null>): Promise<T> {
  for (let attempts = 0; attempts < CONFLICTS_MAX; attempts += 1) {
    const result = await act();
    if (result !== null) return result;
    await sleep(Math.random() * Math.min(2 ** attempts, BACKOFF_MAX_MS));
  }
  throw new Problem('overloaded', { detail: 'Too many calls change the same thing at once.' });
}

/** Converts a commit's outcome to the call's, with the status that the call had. Null after a conflict: the method must run again. */
export function toCallOutcome(outcome: CommitOutcome, status: number, error: unknown): CallOutcome | null {
  switch (outcome.kind) {
    case 'committed':
      return { frame: outcome.frame, status, txid: outcome.txid, error };
    case 'recorded':
      return recordedOutcome(outcome.frame);
    case 'conflict':
      return null;
    case 'void':
    case 'expired':
      return { frame: null, status: 504, txid: null, error: outcome.kind };
  }
}

async function attempt(run: Run): Promise<CallOutcome | null> {
  const { call, options, executor, reads, tail } = run;
  const tx = new Transaction(reads, call.workspaceId);
  options.trace?.hop('prepare');
  const result = encodeJson(await runMethod(run, tx));
  options.trace?.hop(`run ${call.method}`);
  options.asyncEnd?.succeed(tx, result);
  const txid = String(run.txid);
  if (tx.isEmpty && typeof result === 'string' && !hasToRecord(run)) {
    const frame = encodeFrame(200, tail, `{"result":${result},"txid":${txid}}`);
    return { frame, status: 200, txid, error: null };
  }
  const recordable = { result, of: kindOf(run) };
  const committed = await commitRun(run, options.entry, tx, recordable, txid);
  if (committed.kind === 'conflict') executor.onConflict?.();
  // Note the due work again after the commit: a worker that looked in between did not find it.
  else if (run.wakes.length > 0)
    await executor.wake?.(call.workspaceId, Math.min(...run.wakes)).catch(() => undefined);
  return toCallOutcome(committed, 200, null);
}

function kindOf({ call: { kind, method }, options }: Run): ResultKind {
  if (options.asyncEnd) return 'kept';
  if (kind === 'order') return FREEING_ORDERS.has(method) ? 'order' : 'result';
  return isReadOnly(method) ? 'read' : 'result';
}
