import type { Attempt, CallKind, Entry } from '../history.ts';

/** The answers that promise that the attempt has not taken effect and never will. */
const NOT_RUN: ReadonlySet<string> = new Set([
  'refused',
  'rate_limited',
  'overloaded',
  'unavailable',
  'shutting_down',
  'call_timeout',
  'call_in_flight',
  'canceled',
]);

/** What its caller knows of a call in the end. */
export type Outcome = 'accepted' | 'refused' | 'not run' | 'unknown';

/** A call with all its attempts, the first one first. */
export interface Call {
  number: number;
  kind: CallKind;
  workspace: string;
  account: string;
  peer: string;
  text: string | null;
  target: number | null;
  attempts: Attempt[];
  outcome: Outcome;
  /** The first attempt that succeeded. */
  accepted: Attempt | null;
}

/** Puts the attempts of a history together into calls. */
export function toCalls(history: readonly Entry[]): Call[] {
  const byNumber = new Map<number, Attempt[]>();
  for (const entry of history) {
    if (entry.type !== 'attempt') continue;
    const attempts = byNumber.get(entry.call);
    if (attempts) attempts.push(entry);
    else byNumber.set(entry.call, [entry]);
  }
  return [...byNumber.values()].map(toCall);
}

/** What an attempt's answer promises, taken by itself. */
export function outcomeOf({ status, code }: Attempt): Outcome {
  if (status >= 200 && status < 300) return 'accepted';
  if (NOT_RUN.has(code)) return 'not run';
  return status >= 400 && status < 500 ? 'refused' : 'unknown';
}

/** How a call is named in what the checker says. */
export function nameOf({ number, kind, attempts }: Call): string {
  const answers = attempts
    .map(({ status, code }) => (status === 200 ? '200' : `${status} ${code}`))
    .join(', ');
  return `call ${number} (${kind}; ${answers})`;
}

function toCall(attempts: Attempt[]): Call {
  attempts.sort((a, b) => a.attempt - b.attempt);
  const [first] = attempts as [Attempt];
  const { call: number, kind, workspace, account, peer, text, target } = first;
  const outcomes = new Set(attempts.map(outcomeOf));
  const accepted = attempts.find((attempt) => outcomeOf(attempt) === 'accepted') ?? null;
  const outcome =
    (['accepted', 'unknown', 'refused'] as const).find((known) => outcomes.has(known)) ?? 'not run';
  return { number, kind, workspace, account, peer, text, target, attempts, outcome, accepted };
}
