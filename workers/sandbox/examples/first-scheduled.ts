import { pageBudget } from '../model/common/read-budget.ts';
import { findScheduled, listScheduled } from '../model/scheduled/scheduled-messages.ts';
import type { ExampleContext } from './example.ts';

/** The first scheduled message of the account, by its conversation and id; null if nothing is scheduled. */
export async function firstScheduled({ call }: ExampleContext) {
  const [first] = await listScheduled(call);
  const [found] = first === undefined ? [] : await findScheduled(call, [first], pageBudget());
  return found ? { peer: found.peer, id: [found.message.id] } : null;
}
