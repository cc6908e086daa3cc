import { notExecuted } from '../../src/not-executed.ts';
import { Problem } from '../../src/problem.ts';
import type { Transaction } from '../../src/state/transaction.ts';
import { isReadOnly } from '../../src/tl/is-read-only.ts';
import { findMethod, type TlMethod } from '../../src/tl/methods.ts';
import { toResult } from '../../src/tl/to-result.ts';
import type { CallContext } from '../driver.ts';
import { readingSlices } from '../turns/slices.ts';
import { commitAhead } from './commit-ahead.ts';
import { fillRandomIds, hasNoRandomIds } from './random-ids.ts';
import type { Run } from './run.ts';

/** Runs the method or order of a call, which adds its changes to `tx`. May throw at once. */
export function runMethod(run: Run, tx: Transaction): Promise<unknown> {
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
  // The ledger recognizes a repeat under a key, and may be asked to send again once it has forgotten the key.
  const drawsRandomIds = call.seed === undefined && hasNoRandomIds(method, given);
  const params = fillRandomIds(method, given, seed ?? call.id);
  return implementation.run(params as never, contextOf(run, tx, drawsRandomIds));
}

/**
 * Resolves when it is a call's turn to answer; undefined if it is already. Calls that were read in one batch resume together, and their
 * results may be large.
 */
export function turnToAnswer({ call }: Run): Promise<void> | undefined {
  return call.kind !== 'order' && isReadOnly(call.method) ? readingSlices.next(call.workspaceId) : undefined;
}

/** The answer to a call, from what its method or order has returned. */
export function toAnswer({ call }: Run, returned: unknown): object {
  return call.kind === 'order'
    ? (returned as object)
    : toResult(findMethod(call.method) as TlMethod, returned);
}

/** The context in which the driver runs a call now. */
export function contextOf(run: Run, tx: Transaction, drawsRandomIds = false): CallContext {
  const { call, options, executor, wakes } = run;
  const { wake, clock } = executor;
  return {
    id: call.id,
    workspaceId: call.workspaceId,
    account: call.account,
    tx,
    date: Math.floor(clock.now() / 1_000),
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
    conflicts: run.conflicts,
  };
}
