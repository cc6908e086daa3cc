import { READ_KEPT_MAX } from '../../../src/state/commit-reply.ts';
import type { Attempt, Disturbance } from '../history.ts';
import { type Call, nameOf, outcomeOf } from './calls.ts';
import type { Violation } from './violation.ts';

/** How long after a disturbance its consequences may still show. */
const AFTERMATH_MS = 20_000;

const EXPECTED: ReadonlySet<string> = new Set([
  '409 call_in_flight',
  '429 rate_limited',
  '502 outcome_unknown',
  '503 overloaded',
  '503 unavailable',
  '503 shutting_down',
  '504 call_timeout',
]);

/**
 * The answers by themselves: every one is a success or a documented failure that disturbances may bring, an unknown outcome has
 * a disturbance near, and whoever repeats a call under its key gets the first answer again.
 */
export function checkAnswers(calls: readonly Call[], chaos: readonly Disturbance[]): Violation[] {
  return calls.flatMap((call) => [
    ...call.attempts.flatMap((attempt) => checkAttempt(call, attempt, chaos)),
    ...checkReplays(call),
  ]);
}

function checkAttempt(call: Call, attempt: Attempt, chaos: readonly Disturbance[]): Violation[] {
  const { status, code } = attempt;
  if (code === 'unanswered') return [{ rule: 'hung', what: `${nameOf(call)}, sent at ${attempt.sentAt}` }];
  // What became of a call that was taken in is looked at where it ends.
  if (status === 0 || attempt.callId !== null || outcomeOf(attempt) === 'accepted') return [];
  if (call.kind === 'wrong' && code === 'MESSAGE_ID_INVALID') return [];
  if (!EXPECTED.has(`${status} ${code}`)) return [{ rule: 'answer', what: nameOf(call) }];
  if (code !== 'outcome_unknown') return [];
  const hasCause = chaos.some(
    ({ from, until }) => from <= attempt.doneAt && until + AFTERMATH_MS >= attempt.sentAt,
  );
  return hasCause ? [] : [{ rule: 'unknown', what: `${nameOf(call)}, sent at ${attempt.sentAt}` }];
}

function checkReplays(call: Call): Violation[] {
  const { accepted, attempts, kind } = call;
  if (!accepted || call.callIds.length > 0) return [];
  let first: Attempt | undefined;
  return attempts.flatMap((attempt): Violation[] => {
    if (attempt.attempt < accepted.attempt || outcomeOf(attempt) !== 'accepted') return [];
    const isKept = kind !== 'look' || (first?.bytes ?? 0) <= READ_KEPT_MAX;
    // A read whose answer was too large to be kept runs again.
    if (first === undefined || (!isKept && attempt.replayed === false)) {
      first = attempt;
      return [];
    }
    const isSame = attempt.txid === first.txid && attempt.result === first.result;
    if (isSame && attempt.replayed !== false) return [];
    const why = isSame ? 'not said to be a replay' : `txid ${first.txid}, then ${attempt.txid}`;
    return [{ rule: 'replay', what: `${nameOf(call)}: ${why}` }];
  });
}
