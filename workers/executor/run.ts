import type { DataWatch } from '../../src/directory/data-watch.ts';
import type { Tenants } from '../../src/directory/tenants.ts';
import type { LedgerEntry } from '../../src/ledger/entry.ts';
import type { Problem } from '../../src/problem.ts';
import type { WireCall } from '../../src/queue/wire.ts';
import type { RedisClock } from '../../src/redis/clock.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import type { StateReader } from '../../src/state/batch-reads.ts';
import type { Recordable } from '../../src/state/commit.ts';
import type { Template } from '../../src/state/placeholder.ts';
import type { Reservation } from '../../src/state/reserve.ts';
import type { Transaction } from '../../src/state/transaction.ts';
import type { Trace } from '../../src/tracing/trace.ts';
import type { Driver } from '../driver.ts';
import type { ConflictLines } from './conflict-lines.ts';

/** The dependencies of an executor. */
export interface ExecutorOptions {
  state: RedisConnection;
  clock: Pick<RedisClock, 'now'>;
  drivers: ReadonlyMap<string, Driver>;
  /** Decides whether a failure may come from a loss of all data; absent if failures are not reported to a caller. */
  data?: Pick<DataWatch, 'isLostSince'>;
  /** Finds the organizations of workspaces; absent if the process runs one call at a time. */
  tenants?: Pick<Tenants, 'find'> | undefined;
  /** Schedules the driver's order `doDueWork` for a workspace (ms since the epoch, Redis' clock); absent if due work is not supported. */
  wake?: ((workspaceId: string, at: number) => Promise<void>) | undefined;
  crashFaults: boolean;
  /** Called for each commit that failed because something its method had read has changed. */
  onConflict?: () => void;
}

/** How to run a call. */
export interface RunOptions {
  /** The ledger entry that records its outcome. */
  entry: LedgerEntry;
  /** The reserved txids, and the index of the call's own. */
  reservation: Promise<Reservation>;
  index: number;
  signal: AbortSignal;
  /** Whether the call may wait for something other than Redis. */
  mayWait: boolean;
  /** Whether it may have run before, in a job that was interrupted. */
  again: boolean;
  /** What to do when an async call ends; absent for sync calls. */
  asyncEnd?: AsyncEnd;
  /** The span of the run, if it is traced. */
  trace?: Trace | undefined;
}

/** Adds the end of an async call to its commit. */
export interface AsyncEnd {
  /** Which attempt it is, counted from 1. */
  attempt: number;
  /** Adds the call's success, with its result as JSON, to the transaction. */
  succeed(tx: Transaction, result: Template): void;
  /** Adds the call's failure to the transaction and returns what to record; null if the call is to be retried instead. */
  fail(tx: Transaction, problem: Problem): Recordable | null;
}

/**
 * How a call ended, for the reply and for the log. A null frame means that no one waits for the answer any more, or that nothing was
 * recorded: an async call is then retried.
 */
export interface CallOutcome {
  frame: string | null;
  status: number;
  txid: string | null;
  error: unknown;
  /** How many permits of the window the call has cost; absent for one. */
  cost?: number | undefined;
}

/** One execution of a call. */
export interface Run {
  readonly call: WireCall;
  readonly options: RunOptions;
  readonly executor: ExecutorOptions;
  readonly reads: StateReader;
  readonly driver: Driver;
  readonly txid: number;
  /** Offset of the newest update when the txid was taken; empty for none yet. */
  readonly tail: string;
  /** The times for which the method has scheduled `doDueWork`. */
  readonly wakes: number[];
  /** When the run began, by this process's monotonic clock. */
  readonly startedAt: number;
  readonly lines: ConflictLines;
  /** Whether it has committed something ahead of its own commit. */
  hasCommittedAhead: boolean;
  /** How many commits failed because something its method had read has changed. */
  conflicts: number;
  /** How many writes, raised counters and updates its attempts have made, those that failed included. */
  changes: number;
  /** How many characters of what is stored its attempts have read. */
  charactersRead: number;
}

// No other worker takes over a job sooner than this: locks last longer.
const TAKEOVER_MS = 1_000;

/**
 * Whether the call's answer must be recorded in the ledger, even if it changed nothing. The answer is only valid if the call has had no
 * effect before. Otherwise an earlier run may have made the change, and this run merely found it done.
 */
export function hasToRecord({ call, options, startedAt }: Run): boolean {
  return call.key !== undefined || options.again || performance.now() - startedAt > TAKEOVER_MS;
}

/**
 * The txid for the commit of a call's answer: the reserved one, or `''` for a new one if something was committed ahead. The reserved one
 * would say that the call has changed nothing, and may run again.
 */
export function txidToCommit({ txid, hasCommittedAhead }: Run): string {
  return hasCommittedAhead ? '' : String(txid);
}

/** The outcome that an earlier run recorded. */
export function recordedOutcome(frame: string): CallOutcome {
  return { frame, status: Number(frame.slice(0, 3)), txid: null, error: null };
}
