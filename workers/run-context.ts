import type { DataWatch } from '../src/directory/data-watch.ts';
import type { Tenants } from '../src/directory/tenants.ts';
import type { LedgerEntry } from '../src/ledger/entry.ts';
import type { Problem } from '../src/problem.ts';
import type { RedisConnection } from '../src/redis/connections.ts';
import type { StateReader } from '../src/state/batch-reads.ts';
import type { Recordable } from '../src/state/commit.ts';
import type { Template } from '../src/state/placeholder.ts';
import type { Reservation } from '../src/state/reserve.ts';
import type { Transaction } from '../src/state/transaction.ts';
import type { Driver } from './driver.ts';

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

/** What a call needs besides itself: where it is recorded, the txid taken for it, and the means to run it. */
export interface RunContext {
  state: RedisConnection;
  /** The same, for what methods look up. */
  reads: StateReader;
  driver: Driver;
  /** Tells failures from what a loss of all data looks like; absent where nobody is told of them. */
  data?: Pick<DataWatch, 'isLostSince'>;
  entry: LedgerEntry;
  txid: number;
  reservation: Promise<Reservation>;
  signal: AbortSignal;
  /** Of the workspaces of this process's calls; absent where it runs one call at a time. */
  tenants?: Pick<Tenants, 'find'> | undefined;
  crashFaults: boolean;
  /** Redis' time, ms since the epoch. */
  now: number;
  /** Whether the call may have run before, in a job that was interrupted. */
  again: boolean;
  /** When the run began, by this process's monotonic clock. */
  startedAt: number;
  /** What belongs to the end of a call that nobody waits for; absent for every other. */
  background?: BackgroundEnd;
}

/** What a call that nobody waits for does with its end. */
export interface BackgroundEnd {
  /** Which attempt it is, counted from 1. */
  attempt: number;
  /** Adds to the transaction of a result, given as JSON. */
  succeed(tx: Transaction, result: Template): void;
  /** Adds to the transaction of a failure and gives what to record; null when the call is to be tried again instead. */
  fail(tx: Transaction, problem: Problem): Recordable | null;
}
