import { Problem } from '../../src/problem.ts';
import { encodeFrame } from '../../src/queue/frame.ts';
import type { CommitOutcome, ResultKind } from '../../src/state/commit.ts';
import { encodeJson } from '../../src/state/placeholder.ts';
import { Transaction } from '../../src/state/transaction.ts';
import { isReadOnly } from '../../src/tl/is-read-only.ts';
import { commitRun } from './commit-run.ts';
import { type CallOutcome, hasToRecord, type Run, recordedOutcome, txidToCommit } from './run.ts';
import { runMethod, toAnswer, turnToAnswer } from './run-method.ts';

// Orders that free bytes, and so must pass in a full workspace.
const FREEING_ORDERS = new Set(['disconnectAccount']);

/**
 * Runs the method of a call and commits its changes. Runs it again from the start as long as something it read has changed by the commit
 * (optimistic concurrency).
 */
export function attemptUntilCommitted(run: Run): Promise<CallOutcome> {
  const { call, options, lines } = run;
  return lines.repeat({ workspaceId: call.workspaceId, signal: options.signal }, async (conflicts) => {
    run.conflicts = conflicts;
    if (conflicts > 0) refuseIfOver(run);
    return attempt(run);
  });
}

// The call may have waited for others, and its caller no longer waits for it.
function refuseIfOver({ call, executor }: Run): void {
  if (call.notAfter < executor.clock.now()) throw new Problem('call_timeout');
}

// Null after a conflict.
async function attempt(run: Run): Promise<CallOutcome | null> {
  const { call, options, executor, reads } = run;
  const tx = new Transaction(reads, call.workspaceId);
  options.trace?.hop('prepare');
  const returned = await runCounted(run, tx);
  const turn = turnToAnswer(run);
  if (turn !== undefined) await turn;
  const result = encodeJson(toAnswer(run, returned));
  options.trace?.hop(`run ${call.method}`);
  options.asyncEnd?.succeed(tx, result);
  if (tx.isEmpty && typeof result === 'string' && !hasToRecord(run)) {
    const txid = String(run.txid);
    const frame = encodeFrame(200, run.tail, `{"result":${result},"txid":${txid}}`);
    return { frame, status: 200, txid, error: null };
  }
  const committed = await commitRun(run, options.entry, tx, { result, of: kindOf(run) }, txidToCommit(run));
  if (committed.kind === 'conflict') {
    executor.onConflict?.();
    return null;
  }
  if (run.wakes.length > 0) await wakeAgain(run);
  return toCallOutcome(committed, 200, null);
}

// A method that refuses its call has cost what it has done until then.
async function runCounted(run: Run, tx: Transaction): Promise<unknown> {
  try {
    return await runMethod(run, tx);
  } finally {
    run.changes += tx.changes;
    run.charactersRead += tx.charactersRead;
  }
}

/** Converts a commit's outcome to the call's, with the status that the call had. */
export function toCallOutcome(
  outcome: Exclude<CommitOutcome, { kind: 'conflict' }>,
  status: number,
  error: unknown,
): CallOutcome {
  switch (outcome.kind) {
    case 'committed':
      return { frame: outcome.frame, status, txid: outcome.txid, error };
    case 'recorded':
      return recordedOutcome(outcome.frame);
    case 'void':
    case 'expired':
      return { frame: null, status: 504, txid: null, error: outcome.kind };
  }
}

// Notes the due work again after the commit: a worker that looked in between did not find it.
async function wakeAgain({ call, executor, wakes }: Run): Promise<void> {
  await executor.wake?.(call.workspaceId, Math.min(...wakes)).catch(() => undefined);
}

function kindOf({ call: { kind, method }, options }: Run): ResultKind {
  if (options.asyncEnd) return 'kept';
  if (kind === 'order') return FREEING_ORDERS.has(method) ? 'order' : 'result';
  return isReadOnly(method) ? 'read' : 'result';
}
