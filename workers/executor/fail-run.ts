import type { LedgerEntry } from '../../src/ledger/entry.ts';
import { settleCall } from '../../src/ledger/settle.ts';
import { messengerProblem } from '../../src/messenger-problem.ts';
import { Problem } from '../../src/problem.ts';
import { encodeFrame } from '../../src/queue/frame.ts';
import type { WireCall } from '../../src/queue/wire.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import { detailOf, isRedisUnavailable } from '../../src/redis/failure.ts';
import { CommitTooLarge, Transaction } from '../../src/state/transaction.ts';
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
} from './run.ts';

/** Ends a call whose method or commit failed. */
export async function failRun(run: Run, error: unknown): Promise<CallOutcome> {
  const { call, options, executor, reads, tail } = run;
  const { signal, asyncEnd, entry, trace } = options;
  const found = toCallProblem(signal.aborted ? signal.reason : error, call.method);
  // Whatever hop it failed in.
  trace?.hop(`run ${call.method}`, { attributes: failureOf(found.code) });
  trace?.set(failureOf(found.code));
  if (asyncEnd) return failAsync(run, asyncEnd, found);
  const isLost = !found.retryable && (await executor.data?.isLostSince(call.acceptedAt));
  const problem = isLost ? lostData() : found;
  const { status } = problem;
  const failure = { frame: frameOf(problem, tail), status, txid: null, error };
  const isFinal = status < 500 && !problem.retryable;
  // A caller who is told that a call failed for good must not find it done later, should the worker die and the call run again.
  const isRecorded = isFinal ? hasToRecord(run) || !isReadOnly(call.method) : !call.key && hasToRecord(run);
  if (isRecorded) {
    const nothing = new Transaction(reads, call.workspaceId);
    const outcome = await commitRun(run, entry, nothing, { frame: failure.frame }, String(run.txid));
    return toCallOutcome(outcome, status, error) ?? failure;
  }
  // A caller who is told to try again may do so at once: this attempt gives up its claim and never takes effect.
  return isFinal ? failure : voidCall(executor.state, entry, failure);
}

/** Ends a call that could not be run, or whose failure could not be recorded. */
export async function failUnbegun(
  state: RedisConnection,
  call: WireCall,
  { entry, asyncEnd }: RunOptions,
  error: unknown,
): Promise<CallOutcome> {
  const problem = toCallProblem(error, call.method);
  if (asyncEnd) return { frame: null, status: 503, txid: null, error: problem };
  const failure = { frame: frameOf(problem, ''), status: problem.status, txid: null, error };
  // Of one that cannot be made void nobody is told anything: at its deadline the caller asks the ledger.
  return voidCall(state, entry, failure).catch(() => ({ ...failure, frame: null }));
}

async function failAsync(run: Run, asyncEnd: AsyncEnd, problem: Problem): Promise<CallOutcome> {
  const { call, options, reads } = run;
  const { status } = problem;
  const tx = new Transaction(reads, call.workspaceId);
  const recordable = asyncEnd.fail(tx, problem);
  const again = { frame: null, status, txid: null, error: problem };
  if (recordable === null) return again;
  // The attempt may be over because its time is.
  const entry = { ...options.entry, notAfter: Number.MAX_SAFE_INTEGER };
  const outcome = await commitRun(run, entry, tx, recordable, String(run.txid));
  return toCallOutcome(outcome, status, problem) ?? again;
}

// Gives a failure only once it is certain that the call has not taken effect and never will; else what is recorded, or no frame.
async function voidCall(
  state: RedisConnection,
  entry: LedgerEntry,
  failure: CallOutcome,
): Promise<CallOutcome> {
  const recorded = await settleCall(state, entry);
  if (recorded === null) return failure;
  return recorded === undefined ? { ...failure, frame: null } : recordedOutcome(recorded);
}

// What a call found says nothing once the data that it was made for are gone.
function lostData(): Problem {
  const detail = 'The data that the call was made for have been lost.';
  return new Problem('unavailable', { detail, headers: { 'retry-after': '1' } });
}

function frameOf(problem: Problem, tail: string): string {
  return encodeFrame(problem.status, tail, JSON.stringify(problem), problem.options.headers);
}

// Anything unforeseen is `internal` and says nothing of its cause.
function toCallProblem(error: unknown, method: string): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof MessengerError) return messengerProblem(error.error, method);
  if (error instanceof CommitTooLarge) return new Problem('call_too_large', { cause: error });
  if (isRedisUnavailable(error)) return new Problem('unavailable', { ...detailOf(error), cause: error });
  return new Problem('internal', { cause: error });
}
