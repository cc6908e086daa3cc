import { notExecuted } from '../../src/not-executed.ts';
import { Problem } from '../../src/problem.ts';
import type { Transaction } from '../../src/state/transaction.ts';
import { isReadOnly } from '../../src/tl/is-read-only.ts';
import { findMethod } from '../../src/tl/methods.ts';
import { toResult } from '../../src/tl/to-result.ts';
import type { CallContext } from '../driver.ts';
import { readingSlices } from '../turns/slices.ts';
import { commitAhead } from './commit-ahead.ts';
import { fillRandomIds, hasNoRandomIds } from './random-ids.ts';
import type { Run } from './run.ts';

/** Runs the method or order of a call and returns its result; its changes are added to `tx`. */
export async function runMethod(run: Run, tx: Transaction): Promise<object> {
  const { call, driver } = run;
  if (call.kind === 'order') {
    const order = driver.orders.get(call.method);
    if (!order) throw new Problem('unknown_method', { detail: `The driver knows no order ${call.method}.` });
    return order(call.params, contextOf(run, tx));
  }
  const method = findMethod(call.method);
  if (!method) throw new Problem('unknown_method');
  const implementation = driver.methods.get(call.method);
  if (!implementation) throw notExecuted(call.method, driver.name);
  const given = call.params as Record<string, unknown>;
  const seed = call.key?.seed ?? call.seed;
  const drawsRandomIds = seed === undefined && hasNoRandomIds(method, given);
  const params = fillRandomIds(method, given, seed ?? call.id);
  const result = await implementation.run(params as never, contextOf(run, tx, drawsRandomIds));
  // Calls that were read in one batch resume together, and their results may be large: let them take turns.
  const turn = isReadOnly(call.method) ? readingSlices.next(call.workspaceId) : undefined;
  if (turn !== undefined) await turn;
  return toResult(method, result) as object;
}

/** The context in which the driver runs a call. */
export function contextOf(run: Run, tx: Transaction, drawsRandomIds = false): CallContext {
  const { call, options, executor, now, wakes } = run;
  const { wake } = executor;
  return {
    id: call.id,
    workspaceId: call.workspaceId,
    account: call.account,
    tx,
    date: Math.floor(now / 1_000),
    signal: options.signal,
    tenants: executor.tenants,
    ahead: (write) => commitAhead(run, write),
    wakeAt:
      wake &&
      ((date) => {
        wakes.push(date * 1_000);
        return wake(call.workspaceId, date * 1_000);
      }),
    mayWait: options.mayWait,
    drawsRandomIds,
  };
}
