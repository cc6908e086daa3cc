import type { Problem } from '../../src/problem.ts';

const LONGEST_MS = 5 * 60_000;

// Before this, the job of the last attempt may still exist, and be mistaken for that of the next one.
const SHORTEST_MS = 250;

/**
 * How long to wait, in ms, after the `attempts`-th attempt met a problem: the wait that the messenger asks for, else exponential backoff
 * with jitter.
 */
export function retryDelay(problem: Problem, attempts: number, baseMs: number): number {
  const seconds = problem.options.members?.seconds;
  if (typeof seconds === 'number') return Math.max(SHORTEST_MS, seconds * 1_000 + Math.random() * baseMs);
  const longest = Math.min(baseMs * 2 ** (attempts - 1), Math.max(LONGEST_MS, baseMs));
  return Math.max(SHORTEST_MS, longest * (0.5 + Math.random() / 2));
}
