import { setTimeout as sleep } from 'node:timers/promises';
import { VOID } from '../../src/ledger/codec.ts';
import { faultEntry } from '../../src/ledger/entry.ts';
import { findRecorded } from '../../src/ledger/settle.ts';
import { commit } from '../../src/state/commit.ts';
import { Transaction } from '../../src/state/transaction.ts';
import { type Fault, MessengerError, NeedsSlowLane } from '../driver.ts';
import type { Run } from './run.ts';
import { contextOf } from './run-method.ts';

/**
 * Applies the fault that is injected into a call: rejects with its error, waits for its delay, or kills the process for a crash. Returns the
 * fault (null for none), as the caller applies a disconnect. It is consumed by a commit of its own, recorded for the call, so that a call
 * that runs again gets the same fault. Throws `NeedsSlowLane` for a delay where the call may not wait.
 */
export async function injectFault(run: Run): Promise<Fault | null> {
  const { options, executor } = run;
  const fault = await consumeFault(run);
  if (!fault) return null;
  if ('error' in fault) throw new MessengerError(fault.error);
  if ('delayMs' in fault) {
    if (!options.mayWait) throw new NeedsSlowLane();
    await sleep(fault.delayMs, undefined, { signal: options.signal });
  }
  if ('crash' in fault && executor.crashFaults) process.kill(process.pid, 'SIGKILL');
  return fault;
}

async function consumeFault(run: Run): Promise<Fault | null> {
  const { call, options, executor, reads, driver, lines } = run;
  const entry = faultEntry(call, options.entry, options.asyncEnd?.attempt ?? null);
  const recorded = await findRecorded(executor.state, entry);
  if (recorded !== null && recorded !== VOID) return JSON.parse(recorded) as Fault;
  const { fault } = await lines.repeat(
    { workspaceId: call.workspaceId, signal: options.signal },
    async () => {
      const tx = new Transaction(reads, call.workspaceId);
      const next = await driver.findFault(call.method, { ...contextOf(run, tx), mayWait: false });
      if (!next) return { fault: null };
      const outcome = await commit(executor.state, entry, tx, { frame: JSON.stringify(next) }, '');
      if (outcome.kind === 'conflict') return null;
      return { fault: 'frame' in outcome ? (JSON.parse(outcome.frame) as Fault) : null };
    },
  );
  return fault;
}
