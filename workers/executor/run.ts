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

/** What an executor runs calls with. */
export interface ExecutorOptions {
  state: RedisConnection;
  clock: Pick<RedisClock, 'now'>;
  drivers: ReadonlyMap<string, Driver>;
  /** Tells failures from what a loss of all data looks like; absent where nobody is told of them. */
  data?: Pick<DataWatch, 'isLostSince'>;
  /** Of the workspaces of this process's calls; absent where it runs one call at a time. */
  tenants?: Pick<Tenants, 'find'> | undefined;
  /** Has the driver's order `doDueWork` run for a workspace at a time (ms since the epoch, Redis' clock); absent where nobody does. */
  wake?: ((workspaceId: string, at: number) => Promise<void>) | undefined;
  crashFaults: boolean;
  /** Hears of each commit that found changed what its method had read. */
  onConflict?: () => void;
}

/** How a call is to be run. */
export interface RunOptions {
  /** Where its outcome is recorded. */
  entry: LedgerEntry;
  /** Txids that were taken before, and which of them is the call's. */
  reservation: Promise<Reservation>;
  index: number;
  signal: AbortSignal;
  /** Whether it may wait for something other than Redis. */
  mayWait: boolean;
  /** Whether it may have run before, in a job that was interrupted. */
  again: boolean;
  /** What belongs to the end of an async call; absent for every other. */
  asyncEnd?: AsyncEnd;
  /** The span of the run, where it is traced. */
  trace?: Trace | undefined;
}

/** What an async call does with its end. */
export interface AsyncEnd {
  /** Which attempt it is, counted from 1. */
  attempt: number;
  /** Adds to the transaction of a result, given as JSON. */
  succeed(tx: Transaction, result: Template): void;
  /** Adds to the transaction of a failure and gives what to record; null when the call is to be tried again instead. */
  fail(tx: Transaction, problem: Problem): Recordable | null;
}

/**
 * How a call ended, for the reply and for the log. A null frame means that nobody waits for an answer any more, or that nothing
 * was recorded and the call is to be tried again.
 */
export interface CallOutcome {
  frame: string | null;
  status: number;
  txid: string | null;
  error: unknown;
}

/** A call that runs. */
export interface Run {
  readonly call: WireCall;
  readonly options: RunOptions;
  readonly executor: ExecutorOptions;
  readonly reads: StateReader;
  readonly driver: Driver;
  readonly txid: number;
  /** Offset of the newest update when the txid was taken; empty for none yet. */
  readonly tail: string;
  /** Redis' time, ms since the epoch. */
  readonly now: number;
  /** The times at which it has asked for `doDueWork`. */
  readonly wakes: number[];
  /** When the run began, by this process's monotonic clock. */
  readonly startedAt: number;
}

// No job is given to another worker sooner than this after it was taken: locks last longer.
const TAKEOVER_MS = 1_000;

/**
 * Whether what the call answers has to pass the ledger. An answer that rests on what the method found is only good if the call has had
 * no effect before: one that changed something would otherwise be followed by a run that finds it already done.
 */
export function hasToRecord({ call, options, startedAt }: Run): boolean {
  return call.key !== undefined || options.again || performance.now() - startedAt > TAKEOVER_MS;
}

/** The outcome that an earlier run has recorded. */
export function recordedOutcome(frame: string): CallOutcome {
  return { frame, status: Number(frame.slice(0, 3)), txid: null, error: null };
}
