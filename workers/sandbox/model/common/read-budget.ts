import { MessengerError } from '../../../driver.ts';

/** How many stored characters of messages a call may still read: a page of rich messages could otherwise have 20 MB. */
export interface ReadBudget {
  left: number;
}

const PAGE_CHARACTERS = 4 * 1024 * 1024;

/** The budget of a page of a list. */
export function pageBudget(): ReadBudget {
  return { left: PAGE_CHARACTERS };
}

/** Throws `RESULTS_TOO_MUCH` if messages were left out because they exceed the page's budget. */
export function refuseOverBudget({ left }: ReadBudget): void {
  if (left < 0) throw new MessengerError('RESULTS_TOO_MUCH');
}

/** How many items of a page are shown: all, or those before the first of these messages that exceeds the budget. */
export function countShown(messages: readonly (object | null)[], { left }: ReadBudget): number {
  const beyond = left < 0 ? messages.indexOf(null) : -1;
  // At least one is shown: otherwise paging would never get past it.
  return beyond < 0 ? messages.length : Math.max(1, beyond);
}
