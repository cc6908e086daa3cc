import type { Transaction } from '../../../src/state/transaction.ts';
import type { CallContext } from '../../../workers/driver.ts';
import { aRandomId, type SandboxAccount } from './sandbox.ts';

/** What a method is given for a call of an account with these params, run for the first time. */
export function callContext(account: SandboxAccount, tx: Transaction, params: object): CallContext {
  return {
    id: aRandomId(),
    workspaceId: account.workspaceId,
    account,
    tx,
    date: Math.floor(Date.now() / 1_000),
    signal: new AbortController().signal,
    drawsRandomIds: !('randomId' in params),
    conflicts: 0,
    mayWait: true,
  };
}
