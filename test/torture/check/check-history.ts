import type { Entry } from '../history.ts';
import { toCalls } from './calls.ts';
import { checkAnswers } from './check-answers.ts';
import { checkEnds } from './check-ends.ts';
import { checkMessages } from './check-messages.ts';
import { checkReads } from './check-reads.ts';
import { checkFold, checkFollowers, checkOrder } from './check-stream.ts';
import { checkTxids } from './check-txids.ts';
import type { Violation } from './violation.ts';

/** Everything in a history that breaks a promise of the service. */
export function checkHistory(history: readonly Entry[]): Violation[] {
  const calls = toCalls(history);
  const updates = ofType(history, 'update');
  const processes = ofType(history, 'incident').map(
    ({ process, at, what }): Violation => ({ rule: 'process', what: `${process} at ${at} ms: ${what}` }),
  );
  return [
    ...checkMessages(calls, updates),
    ...checkReads(calls, updates),
    ...checkEnds(calls, ofType(history, 'kept'), ofType(history, 'cancellation'), updates),
    ...checkFollowers(ofType(history, 'seen'), updates),
    ...checkOrder(updates),
    ...checkFold(ofType(history, 'account'), updates, ofType(history, 'message')),
    ...checkTxids(calls, updates),
    ...checkAnswers(calls, ofType(history, 'chaos')),
    ...processes,
  ];
}

function ofType<Type extends Entry['type']>(
  history: readonly Entry[],
  type: Type,
): Extract<Entry, { type: Type }>[] {
  return history.filter((entry): entry is Extract<Entry, { type: Type }> => entry.type === type);
}
