import { ownEntry } from '../../src/ledger/entry.ts';
import { Problem } from '../../src/problem.ts';
import { NO_ANSWER } from '../../src/queue/frame.ts';
import type { WireCall } from '../../src/queue/wire.ts';
import { batchReads, type StateReader } from '../../src/state/batch-reads.ts';
import { reserveTxids } from '../../src/state/reserve.ts';
import { type Driver, NeedsSlowLane } from '../driver.ts';
import { attemptUntilCommitted } from './attempt-run.ts';
import { ConflictLines } from './conflict-lines.ts';
import { failRun, failUnrecorded } from './fail-run.ts';
import { injectFault } from './inject-fault.ts';
import type { CallOutcome, ExecutorOptions, Run, RunOptions } from './run.ts';

// A message between two users has 14 changes. For a worker and Redis together, so many cost about as much as an answer of so many characters,
// or as a search through so many.
const CHANGES_PER_PERMIT = 16;
const CHARACTERS_PER_PERMIT = 16 * 1024;
const CHARACTERS_READ_PER_PERMIT = 128 * 1024;
const COST_MAX = 32;

/** Runs calls to their end: injected fault, method, commit. Every call runs through it. */
export class CallExecutor {
  private readonly options: ExecutorOptions;
  private readonly reads: StateReader;
  private readonly lines = new ConflictLines();
  private readonly never = new AbortController().signal;

  constructor(options: ExecutorOptions) {
    this.options = options;
    this.reads = batchReads(options.state);
  }

  /** Runs a call. Rejects only with `NeedsSlowLane`, and only if the call may not wait. */
  async run(call: WireCall, options: RunOptions): Promise<CallOutcome> {
    return (await this.runInTurn(call, options, () => undefined)) as CallOutcome;
  }

  /** Runs a call after its turn has come (`turn` returns undefined if it has already). Null if the call's time is over by then. */
  async runInTurn(
    call: WireCall,
    options: RunOptions,
    turn: (call: WireCall) => Promise<void> | undefined,
  ): Promise<CallOutcome | null> {
    const startedAt = performance.now();
    try {
      const { first, tail } = await options.reservation;
      const driver = this.driverOf(call);
      const run: Run = {
        call,
        options,
        executor: this.options,
        reads: this.reads,
        driver,
        txid: first + options.index,
        tail,
        wakes: [],
        startedAt,
        lines: this.lines,
        hasCommittedAhead: false,
        conflicts: 0,
        changes: 0,
        charactersRead: 0,
      };
      const wait = turn(call);
      if (wait !== undefined) {
        await wait;
        if (call.notAfter < this.options.clock.now()) return null;
      }
      return await runToEnd(run);
    } catch (error) {
      if (error instanceof NeedsSlowLane) throw error;
      return failUnrecorded(this.options.state, call, options, error);
    }
  }

  /** Runs a call that is not in a batch. `again` says that it may have run before. */
  async runAlone(call: WireCall, again: boolean): Promise<CallOutcome> {
    const reservation = reserveTxids(this.options.state, call.workspaceId, 1);
    const options = {
      entry: ownEntry(call),
      reservation,
      index: 0,
      signal: this.never,
      mayWait: true,
      again,
    };
    return this.run(call, options);
  }

  private driverOf({ driver: name }: WireCall): Driver {
    const driver = this.options.drivers.get(name);
    if (driver !== undefined) return driver;
    throw new Problem('unavailable', { detail: `No worker runs the driver ${name}.` });
  }
}

async function runToEnd(run: Run): Promise<CallOutcome> {
  try {
    const fault = run.call.account.faults ? await injectFault(run) : null;
    let outcome: CallOutcome;
    try {
      outcome = await attemptUntilCommitted(run);
    } catch (error) {
      outcome = await failUnlessMoved(run, error);
    }
    outcome.cost = costOf(run, outcome.frame?.length ?? 0);
    return fault && 'disconnect' in fault && outcome.frame !== null
      ? { ...outcome, frame: NO_ANSWER }
      : outcome;
  } catch (error) {
    return failUnlessMoved(run, error);
  }
}

// Undefined for one permit, as of most calls.
function costOf({ changes, charactersRead }: Run, characters: number): number | undefined {
  const cost = Math.round(
    changes / CHANGES_PER_PERMIT +
      characters / CHARACTERS_PER_PERMIT +
      charactersRead / CHARACTERS_READ_PER_PERMIT,
  );
  return cost > 1 ? Math.min(cost, COST_MAX) : undefined;
}

function failUnlessMoved(run: Run, error: unknown): Promise<CallOutcome> {
  if (error instanceof NeedsSlowLane) throw error;
  return failRun(run, error);
}
