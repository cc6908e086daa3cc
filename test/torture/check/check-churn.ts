import type { Attempt, Entry } from '../history.ts';
import { type Call, toCalls } from './calls.ts';

/** So long a wait for the answer to one sync call is too long while workers come and go. */
const TOO_LONG_MS = 5_000;

/** Whether a call failed although its caller stayed and wanted it. */
export function hasFailed({ outcome, attempts, kept }: Call): boolean {
  // Callers who hang up or take a call back have no use for it.
  if (outcome === 'accepted' || outcome === 'refused' || kept?.status === 'canceled') return false;
  return attempts.every(({ code }) => code !== 'hung up');
}

/** For how long callers waited for the answers to single sync calls: ms, the shortest first. */
export function waitsOf(history: readonly Entry[], isMeant: (attempt: Attempt) => boolean): number[] {
  return history
    .flatMap((entry) => (entry.type === 'attempt' && entry.form === 'sync' && isMeant(entry) ? [entry] : []))
    .map(({ sentAt, doneAt }) => doneAt - sentAt)
    .sort((a, b) => a - b);
}

/** What callers noticed of workers that came and went, though they should not have: a sentence for each. */
export function checkChurn(history: readonly Entry[]): string[] {
  const failed = toCalls(history).filter(hasFailed).length;
  // A wait that ended with an error was a wait too.
  const longest = waitsOf(history, ({ code }) => code !== 'hung up').at(-1) ?? 0;
  const faults: string[] = [];
  if (failed > 0)
    faults.push(`${failed} ${failed === 1 ? 'call' : 'calls'} failed, though the callers stayed`);
  if (longest >= TOO_LONG_MS)
    faults.push(`a sync call waited for ${longest.toFixed(0)} ms; ${TOO_LONG_MS} are too many`);
  return faults;
}
