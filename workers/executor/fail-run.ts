import type { LedgerEntry } from '../../src/ledger/entry.ts';
import { settleCall } from '../../src/ledger/settle.ts';
import { messengerProblem } from '../../src/messenger-problem.ts';
import { Problem } from '../../src/problem.ts';
import { encodeFrame } from '../../src/queue/frame.ts';
import type { WireCall } from '../../src/queue/wire.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import { detailOf, isRedisUnavailable } from '../../src/redis/failure.ts';
import { CommitTooLarge } from '../../src/state/commit-limits.ts';
import { Transaction } from '../../src/state/transaction.ts';
import { isReadOnly } from '../../src/tl/is-read-only.ts';
import { failure as failureOf } from '../../src/tracing/attributes.ts';
import { MessengerError } from '../driver.ts';
import { toCallOutcome } from './attempt-run.ts';
import { commitRun } from './commit-run.ts';
import {
  type AsyncEnd,
  type CallOutcome,
  hasToRecord,
  type Run,
  type RunOptions,
  recordedOutcome,
  txidToCommit,
} from './run.ts';

/** Ends a call whose method or commit failed. */
export async function failRun(run: Run, error: unknown): Promise<CallOutcome> {
  const { call, options, executor, reads, tail } = run;
  const { signal, asyncEnd, entry, trace } = options;
  const found = toCallProblem(signal.aborted ? signal.reason : error, call.method);
  // Closes whatever hop the run failed in.
  trace?.hop(`run ${call.method}`, { attributes: failureOf(found.code) });
  trace?.set(failureOf(found.code));
  if (asyncEnd) return failAsync(run, asyncEnd, found);
  const isLost = !found.retryable && (await executor.data?.isLostSince(call.acceptedAt));
  const problem = isLost ? lostData() : found;
  const { status } = problem;
  const failure = { frame: frameOf(problem, tail), status, txid: null, error };
  const isFinal = status < 500 && !problem.retryable;
  // A call that was reported as failed for good must not take effect later, if the worker dies and the call runs again.
  const isRecorded = isFinal ? hasToRecord(run) || !isReadOnly(call.method) : !call.key && hasToRecord(run);
  if (isRecorded) {
    const empty = new Transaction(reads, call.workspaceId);
    const outcome = await commitRun(run, entry, empty, { frame: failure.frame }, txidToCommit(run));
    return outcome.kind === 'conflict' ? failure : toCallOutcome(outcome, status, error);
  }
  // The caller may retry at once, so this attempt releases its claim and never takes effect.
  return isFinal ? failure : voidCall(executor.state, entry, failure);
}

/** Ends a call that could not be run, or whose failure could not be recorded. */
export async function failUnrecorded(
  state: RedisConnection,
  call: WireCall,
  { entry, asyncEnd }: RunOptions,
  error: unknown,
): Promise<CallOutcome> {
  const problem = toCallProblem(error, call.method);
  if (asyncEnd) return { frame: null, status: 503, txid: null, error: problem };
  const failure = { frame: frameOf(problem, ''), status: problem.status, txid: null, error };
  // If the call cannot be voided, send no reply: its API process asks the ledger at the deadline.
  return voidCall(state, entry, failure).catch(() => ({ ...failure, frame: null }));
}

async function failAsync(run: Run, asyncEnd: AsyncEnd, problem: Problem): Promise<CallOutcome> {
  const { call, options, reads } = run;
  const { status } = problem;
  const tx = new Transaction(reads, call.workspaceId);
  const recordable = asyncEnd.fail(tx, problem);
  const again = { frame: null, status, txid: null, error: problem };
  if (recordable === null) return again;
  // The attempt may have failed because its time was over, but its end must still be committed.
  const entry = { ...options.entry, notAfter: Number.MAX_SAFE_INTEGER };
  const outcome = await commitRun(run, entry, tx, recordable, String(run.txid));
  return outcome.kind === 'conflict' ? again : toCallOutcome(outcome, status, problem);
}

// Returns the failure only if the call certainly never takes effect. Otherwise returns the recorded outcome, or an outcome without a frame.
async function voidCall(
  state: RedisConnection,
  entry: LedgerEntry,
  failure: CallOutcome,
): Promise<CallOutcome> {
  const recorded = await settleCall(state, entry);
  if (recorded === null) return failure;
  return recorded === undefined ? { ...failure, frame: null } : recordedOutcome(recorded);
}

// After a loss of data, a failure may only mean that the data are gone.
function lostData(): Problem {
  const detail = 'The data that the call was made for have been lost.';
  return new Problem('unavailable', { detail, headers: { 'retry-after': '1' } });
}

function frameOf(problem: Problem, tail: string): string {
  return encodeFrame(problem.status, tail, JSON.stringify(problem), problem.options.headers);
}

// Unexpected errors become `internal`, which does not reveal the cause.
function toCallProblem(error: unknown, method: string): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof MessengerError) return messengerProblem(error.error, method);
  if (error instanceof CommitTooLarge) return new Problem('call_too_large', { cause: error });
  if (isRedisUnavailable(error)) return new Problem('unavailable', { ...detailOf(error), cause: error });
  return new Problem('internal', { cause: error });
}
