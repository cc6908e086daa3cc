import { MessengerError } from '../../../driver.ts';

/** How much one call may still read of messages, in characters as they are stored: a page of rich ones would else be 20 MB. */
export interface ReadBudget {
  left: number;
}

const PAGE_CHARACTERS = 4 * 1024 * 1024;

/** What a page of a list may weigh. */
export function aPageBudget(): ReadBudget {
  return { left: PAGE_CHARACTERS };
}

/** Throws `RESULTS_TOO_MUCH` where messages were left out because they weigh more than a page may. */
export function refuseBeyondPage({ left }: ReadBudget): void {
  if (left < 0) throw new MessengerError('RESULTS_TOO_MUCH');
}

/** How many items of a page are shown, of which these are the messages: all, or those before the first that went beyond the budget. */
export function countShown(messages: readonly (object | null)[], { left }: ReadBudget): number {
  const beyond = left < 0 ? messages.indexOf(null) : -1;
  // One is always shown, or nobody would come past it.
  return beyond < 0 ? messages.length : Math.max(1, beyond);
}
