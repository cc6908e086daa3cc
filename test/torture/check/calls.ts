import type { AsyncCall, Attempt, CallKind, Entry, Told } from '../history.ts';

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
  /** What it was answered with: by the first attempt that succeeded, or by the record of an async call. */
  accepted: Success | null;
  /** The ids under which it was taken in as an async call. */
  callIds: string[];
  /** How it stands as such. */
  kept: AsyncCall | null;
}

/** A result, and when its caller knew it at the latest. */
export interface Success extends Told {
  attempt: number;
  doneAt: number;
}

const ENDED: ReadonlySet<string> = new Set(['succeeded', 'failed', 'canceled', 'expired']);

/** Whether an async call has ended. */
export function hasEnded({ status }: AsyncCall): boolean {
  return ENDED.has(status);
}

/** Puts the attempts of a history together into calls. */
export function toCalls(history: readonly Entry[]): Call[] {
  const byNumber = new Map<number, Attempt[]>();
  const kept = new Map<string, AsyncCall>();
  for (const entry of history) {
    if (entry.type === 'kept' && entry.from === 'id') kept.set(entry.callId, entry);
    if (entry.type !== 'attempt') continue;
    const attempts = byNumber.get(entry.call);
    if (attempts) attempts.push(entry);
    else byNumber.set(entry.call, [entry]);
  }
  return [...byNumber.values()].map((attempts) => toCall(attempts, kept));
}

/** What an attempt's answer promises, taken by itself. */
export function outcomeOf({ status, code, form, keyed }: Attempt): Outcome {
  if (status >= 200 && status < 300) return 'accepted';
  // One with a key may have been taken in: the same request finds it.
  if (code === 'unavailable' && keyed && form.startsWith('async')) return 'unknown';
  if (NOT_RUN.has(code)) return 'not run';
  return status >= 400 && status < 500 ? 'refused' : 'unknown';
}

/** How a call is named in what the checker says. */
export function nameOf({ number, kind, attempts, callIds, kept }: Call): string {
  const answers = attempts.map(({ status, code }) =>
    status < 400 && status > 0 ? status : `${status} ${code}`,
  );
  const later = callIds.length === 0 ? '' : `; ${callIds.join(', ')} ${kept?.status ?? 'was not read'}`;
  return `call ${number} (${kind}; ${answers.join(', ')}${later})`;
}

function toCall(attempts: Attempt[], records: ReadonlyMap<string, AsyncCall>): Call {
  attempts.sort((a, b) => a.attempt - b.attempt);
  const [first] = attempts as [Attempt];
  const { call: number, kind, workspace, account, peer, text, target } = first;
  const callIds = [...new Set(attempts.map(({ callId }) => callId).filter((id) => id !== null))];
  const kept = records.get(callIds[0] ?? '') ?? null;
  const ends = callIds.length === 0 ? endsOf(attempts) : endsAsKept(attempts, kept);
  return { number, kind, workspace, account, peer, text, target, attempts, callIds, kept, ...ends };
}

function endsOf(attempts: Attempt[]): Pick<Call, 'outcome' | 'accepted'> {
  const outcomes = new Set(attempts.map(outcomeOf));
  const accepted = attempts.find((attempt) => outcomeOf(attempt) === 'accepted') ?? null;
  const outcome =
    (['accepted', 'unknown', 'refused'] as const).find((known) => outcomes.has(known)) ?? 'not run';
  return { outcome, accepted };
}

function endsAsKept(attempts: Attempt[], kept: AsyncCall | null): Pick<Call, 'outcome' | 'accepted'> {
  if (kept === null || !hasEnded(kept)) return { outcome: 'unknown', accepted: null };
  const isWrong = attempts[0]?.kind === 'wrong' && kept.code === 'MESSAGE_ID_INVALID';
  if (kept.status === 'failed' && isWrong) return { outcome: 'refused', accepted: null };
  if (kept.status !== 'succeeded') return { outcome: 'not run', accepted: null };
  const told = attempts.find(({ status }) => status === 200);
  const { attempt, doneAt } = told ?? { attempt: attempts.length, doneAt: kept.at };
  return { outcome: 'accepted', accepted: { ...kept, attempt, doneAt } };
}
