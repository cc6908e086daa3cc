import { setTimeout as sleep } from 'node:timers/promises';
import { VOID } from '../src/ledger/codec.ts';
import { faultEntry, type LedgerEntry } from '../src/ledger/entry.ts';
import { findRecorded, settleCall } from '../src/ledger/settle.ts';
import { messengerProblem } from '../src/messenger-problem.ts';
import { Problem } from '../src/problem.ts';
import { encodeFrame, NO_ANSWER } from '../src/queue/frame.ts';
import type { WireCall } from '../src/queue/wire.ts';
import type { RedisConnection } from '../src/redis/connections.ts';
import { detailOf, isRedisUnavailable } from '../src/redis/failure.ts';
import { type CommitOutcome, commit, type ResultKind } from '../src/state/commit.ts';
import { encodeJson } from '../src/state/placeholder.ts';
import { CommitTooLarge, Transaction } from '../src/state/transaction.ts';
import { isReadOnly } from '../src/tl/is-read-only.ts';
import { findMethod } from '../src/tl/methods.ts';
import { toResult } from '../src/tl/to-result.ts';
import { type CallContext, type Fault, MessengerError, NeedsSlowLane } from './driver.ts';
import { fillRandomIds, hasNoRandomIds } from './random-ids.ts';
import type { BackgroundEnd, CallOutcome, RunContext } from './run-context.ts';
import { readingSlices } from './slices.ts';

// No job is given to another worker sooner than this after its last sign of life.
const TAKEOVER_MS = 2_000;
const CONFLICTS_MAX = 60;
const BACKOFF_MAX_MS = 20;

// They have to pass where a workspace is full.
const FREEING_ORDERS = new Set(['disconnectAccount']);

/**
 * Runs one call to its end: fault, method, commit; again from the start while what it read has changed by the commit.
 * Never throws but for `NeedsSlowLane` (only when `mayWait` is false).
 */
export async function runCall(call: WireCall, run: RunContext, mayWait: boolean): Promise<CallOutcome> {
  try {
    const fault = call.account.faults ? await meetFault(call, run, mayWait) : null;
    const outcome = await attemptUntilCommitted(call, run, mayWait).catch((error) => {
      if (error instanceof NeedsSlowLane) throw error;
      return failCall(call, run, error);
    });
    return fault && 'disconnect' in fault && outcome.frame !== null
      ? { ...outcome, frame: NO_ANSWER }
      : outcome;
  } catch (error) {
    if (error instanceof NeedsSlowLane) throw error;
    return failCall(call, run, error);
  }
}

async function attemptUntilCommitted(
  call: WireCall,
  run: RunContext,
  mayWait: boolean,
): Promise<CallOutcome> {
  for (let attempt = 0; attempt < CONFLICTS_MAX; attempt += 1) {
    const outcome = await attemptCall(call, run, mayWait);
    if (outcome) return outcome;
    await sleep(Math.random() * Math.min(2 ** attempt, BACKOFF_MAX_MS));
  }
  throw new Problem('overloaded', {
    detail: 'Too many calls change the same thing at once.',
  });
}

async function attemptCall(call: WireCall, run: RunContext, mayWait: boolean): Promise<CallOutcome | null> {
  const tx = new Transaction(run.reads, call.workspaceId);
  const result = encodeJson(await execute(call, run, tx, mayWait));
  run.background?.succeed(tx, result);
  if (tx.isEmpty && typeof result === 'string' && !hasToRecord(call, run)) {
    const { tail } = await run.reservation;
    const body = `{"result":${result},"txid":${run.txid}}`;
    return {
      frame: encodeFrame(200, tail, body),
      status: 200,
      txid: String(run.txid),
      error: null,
    };
  }
  const recordable = { result, of: kindOf(call, run) };
  return conclude(await commit(run.state, run.entry, tx, recordable, String(run.txid)), 200, null);
}

function kindOf({ kind, method }: WireCall, run: RunContext): ResultKind {
  if (run.background) return 'kept';
  if (kind === 'order') return FREEING_ORDERS.has(method) ? 'order' : 'result';
  return isReadOnly(method) ? 'read' : 'result';
}

async function execute(call: WireCall, run: RunContext, tx: Transaction, mayWait: boolean): Promise<object> {
  const { driver } = run;
  if (call.kind === 'order') {
    const order = driver.orders.get(call.method);
    if (!order)
      throw new Problem('unknown_method', {
        detail: `The driver knows no order ${call.method}.`,
      });
    return order(call.params, contextOf(call, run, tx, mayWait, false));
  }
  const method = findMethod(call.method);
  if (!method) throw new Problem('unknown_method');
  const implementation = driver.methods.get(call.method);
  if (!implementation) {
    throw new Problem('method_not_implemented', {
      detail: `${call.method} is a method of the schema, but the driver ${driver.name} does not execute it.`,
    });
  }
  const given = call.params as Record<string, unknown>;
  const seed = call.key?.seed ?? call.seed;
  const drawsRandomIds = seed === undefined && hasNoRandomIds(method, given);
  const context = contextOf(call, run, tx, mayWait, drawsRandomIds);
  const params = fillRandomIds(method, given, seed ?? call.id);
  const result = await implementation.run(params as never, context);
  // Calls that have read together go on together, and their answers may be long.
  if (isReadOnly(call.method)) await readingSlices.next();
  return toResult(method, result) as object;
}

function contextOf(
  call: WireCall,
  run: RunContext,
  tx: Transaction,
  mayWait: boolean,
  drawsRandomIds: boolean,
): CallContext {
  return {
    id: call.id,
    workspaceId: call.workspaceId,
    account: call.account,
    tx,
    date: Math.floor(run.now / 1_000),
    signal: run.signal,
    tenants: run.tenants,
    mayWait,
    drawsRandomIds,
  };
}

async function failCall(call: WireCall, run: RunContext, error: unknown): Promise<CallOutcome> {
  const found = toProblem(run.signal.aborted ? run.signal.reason : error, call.method);
  const isLost = !found.retryable && (await run.data?.isLostSince(call.acceptedAt));
  const problem = isLost ? lostData() : found;
  if (run.background) return failInBackground(call, run, run.background, problem);
  const { tail } = await run.reservation;
  const frame = encodeFrame(problem.status, tail, JSON.stringify(problem), problem.options.headers);
  const isFinal = problem.status < 500 && !problem.retryable;
  // Who is told for good that a call failed must not find it done later, should the worker die and the call be run again.
  const isRecorded = isFinal
    ? hasToRecord(call, run) || !isReadOnly(call.method)
    : !call.key && hasToRecord(call, run);
  if (isRecorded) {
    const nothing = new Transaction(run.reads, call.workspaceId);
    const outcome = await commit(run.state, run.entry, nothing, { frame }, String(run.txid));
    const concluded = conclude(outcome, problem.status, error);
    if (concluded) return concluded;
  } else if (!isFinal) {
    // Whoever is told to try again may do so at once: this attempt gives up its claim and never takes effect.
    return voidCall(run.state, run.entry, { frame, status: problem.status, txid: null, error });
  }
  return { frame, status: problem.status, txid: null, error };
}

// What a call found says nothing once the data that it was made for are gone.
function lostData(): Problem {
  const detail = 'The data that the call was made for have been lost.';
  return new Problem('unavailable', { detail, headers: { 'retry-after': '1' } });
}

/** Gives a failure only once it is certain that the call has not taken effect and never will; else what is recorded, or no frame. */
export async function voidCall(
  state: RedisConnection,
  entry: LedgerEntry,
  failure: CallOutcome,
): Promise<CallOutcome> {
  const recorded = await settleCall(state, entry);
  if (recorded === null) return failure;
  return recorded === undefined ? { ...failure, frame: null } : asRecorded(recorded);
}

async function failInBackground(
  call: WireCall,
  run: RunContext,
  background: BackgroundEnd,
  problem: Problem,
): Promise<CallOutcome> {
  const { status } = problem;
  const tx = new Transaction(run.reads, call.workspaceId);
  const recordable = background.fail(tx, problem);
  const again = { frame: null, status, txid: null, error: problem };
  if (recordable === null) return again;
  // The attempt may be over because its time is.
  const entry = { ...run.entry, notAfter: Number.MAX_SAFE_INTEGER };
  return conclude(await commit(run.state, entry, tx, recordable, String(run.txid)), status, problem) ?? again;
}

// An answer that rests on what the method found is only good if the call has had no effect before: one that changed something
// would otherwise be followed by a run that finds it already done. Whoever may be that second run has to pass the ledger.
function hasToRecord(call: WireCall, run: RunContext): boolean {
  return call.key !== undefined || run.again || performance.now() - run.startedAt > TAKEOVER_MS;
}

// Null asks for another attempt.
function conclude(outcome: CommitOutcome, status: number, error: unknown): CallOutcome | null {
  switch (outcome.kind) {
    case 'committed':
      return { frame: outcome.frame, status, txid: outcome.txid, error };
    case 'recorded':
      return asRecorded(outcome.frame);
    case 'conflict':
      return null;
    case 'void':
    case 'expired':
      return { frame: null, status: 504, txid: null, error: outcome.kind };
  }
}

function asRecorded(frame: string): CallOutcome {
  return { frame, status: Number(frame.slice(0, 3)), txid: null, error: null };
}

/** What an error of a method answers with; anything unforeseen is `internal` and says nothing of its cause. */
export function toProblem(error: unknown, method: string): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof MessengerError) return messengerProblem(error.error, method);
  if (error instanceof CommitTooLarge) return new Problem('call_too_large', { cause: error });
  if (isRedisUnavailable(error)) return new Problem('unavailable', { ...detailOf(error), cause: error });
  return new Problem('internal', { cause: error });
}

// A fault is consumed by a commit of its own under the call's name: a call that runs again meets the same one.
async function meetFault(call: WireCall, run: RunContext, mayWait: boolean): Promise<Fault | null> {
  const fault = await consumeFault(call, run);
  if (!fault) return null;
  if ('error' in fault) throw new MessengerError(fault.error);
  if ('delayMs' in fault) {
    if (!mayWait) throw new NeedsSlowLane();
    await sleep(fault.delayMs, undefined, { signal: run.signal });
  }
  if ('crash' in fault && run.crashFaults) process.kill(process.pid, 'SIGKILL');
  return fault;
}

async function consumeFault(call: WireCall, run: RunContext): Promise<Fault | null> {
  const entry = faultEntry(call, run.entry, run.background?.attempt ?? null);
  const met = await findRecorded(run.state, entry);
  if (met !== null && met !== VOID) return JSON.parse(met) as Fault;
  for (let attempt = 0; attempt < CONFLICTS_MAX; attempt += 1) {
    const tx = new Transaction(run.reads, call.workspaceId);
    const fault = await run.driver.findFault(call.method, contextOf(call, run, tx, false, false));
    if (!fault) return null;
    const outcome = await commit(run.state, entry, tx, { frame: JSON.stringify(fault) }, '');
    if (outcome.kind === 'committed' || outcome.kind === 'recorded')
      return JSON.parse(outcome.frame) as Fault;
    if (outcome.kind !== 'conflict') return null;
    await sleep(Math.random() * Math.min(2 ** attempt, BACKOFF_MAX_MS));
  }
  return null;
}
