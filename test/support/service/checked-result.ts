import { expect } from 'vitest';
import { fillFlags } from '../../../src/tl/fill-flags.ts';
import { findMethod } from '../../../src/tl/methods.ts';
import { checkObject, checkResult } from '../tl/check-result.ts';
import type { Account, Answer, Service } from './service.ts';

/** Calls a method that has to succeed with a result exactly as the schema describes it, and gives that. */
export async function checkedResult(
  service: Service,
  account: Account,
  method: string,
  params: object,
): Promise<Answer['body']> {
  const result = await service.result(account, method, params);
  const known = findMethod(method);
  if (!known) throw new Error(`${method} is not in the schema`);
  expect(checkResult(known, result)).toEqual([]);
  return result;
}

/** The updates of an account so far, each exactly as the schema describes it. */
export async function checkedUpdates(service: Service, account: Account): Promise<Answer['body'][]> {
  const all = await service.updates(account.workspaceId);
  const own = all.filter(({ messengerAccountId }) => messengerAccountId === account.id);
  for (const { update } of own) expect(checkObject('Update', fillFlags(update))).toEqual([]);
  return own.map(({ update }) => update);
}
