import type { Problem } from '../../problem.ts';
import { bytesOf, type HeldAnswer, tooManyUnread } from '../limits/answer-budget.ts';
import type { OutcomeLabel } from '../metrics.ts';
import { outcomeOf } from './sync-call.ts';

/** The answer to a call of a bulk. */
export interface BulkResult {
  callId: string;
  status: number;
  /** That of the newest update when the call was done; null for a call that has not run. */
  offset: string | null;
  /** JSON. */
  body: string;
  outcome: OutcomeLabel;
}

/**
 * The problems that calls of a bulk are answered with, held until its caller has read them. Those of calls that were not made may list many
 * errors. Without room for one of them all are dropped, so that there is room for other bulks, and each of these calls is `overloaded`.
 */
export class BulkProblems {
  private readonly held: HeldAnswer;
  private readonly refused: BulkResult[] = [];
  private refusedBytes = 0;
  private instead: Pick<BulkResult, 'status' | 'body' | 'outcome'> | null = null;

  constructor(held: HeldAnswer) {
    this.held = held;
  }

  /** The result of a call that was not made. */
  refuse(problem: Problem, callId: string): BulkResult {
    const result = { callId, offset: null, ...(this.instead ?? textOf(problem)) };
    this.refused.push(result);
    if (this.instead !== null) return result;
    const bytes = bytesOf(result.body);
    if (this.held.hold(0, bytes, true)) this.refusedBytes += bytes;
    else this.drop();
    return result;
  }

  /** The result of a call that may have been made. */
  fail(problem: Problem, callId: string): BulkResult {
    const result = { callId, offset: null, ...textOf(problem) };
    this.held.hold(0, bytesOf(result.body), false);
    return result;
  }

  /** To be called when all calls have their results. Throws if there was no room and none was made: then the bulk can be sent again. */
  conclude(hasMade: boolean): void {
    if (this.instead === null) return;
    if (!hasMade) throw tooManyUnread();
    this.held.hold(0, this.refused.length * bytesOf(this.instead.body), false);
  }

  private drop(): void {
    this.instead = textOf(tooManyUnread());
    this.held.hold(this.refusedBytes, 0, true);
    for (const result of this.refused) Object.assign(result, this.instead);
  }
}

function textOf(problem: Problem): Pick<BulkResult, 'status' | 'body' | 'outcome'> {
  return { status: problem.status, body: JSON.stringify(problem), outcome: outcomeOf(problem) };
}

/** The bodies of the results, joined, in pieces. */
export function* resultTexts(results: BulkResult[]): Generator<string> {
  for (const [index, { callId, status, body }] of results.entries()) {
    const before = index === 0 ? '{"results":[' : ',';
    yield `${before}{"callId":"${callId}","status":${status},"body":${body}}`;
  }
  yield ']}';
}

/**
 * The header with the place in the stream behind all that the calls have done; none if none has run. Calls that were only accepted or
 * validated, or were refused, say nothing of the stream.
 */
export function placeAfter(results: BulkResult[]): Record<string, string> {
  const newest = results
    .map(({ offset }) => offset)
    .filter((offset) => offset !== null)
    .toSorted()
    .at(-1);
  return newest === undefined ? {} : { 'stream-next-offset': newest };
}
