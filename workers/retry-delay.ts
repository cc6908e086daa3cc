import type { Problem } from '../src/problem.ts';

const LONGEST_MS = 5 * 60_000;

/**
 * How long to wait, in ms, after the `attempts`-th attempt met a problem: as long as the messenger says, else twice as long each
 * time, with jitter, so that those that failed together do not come again together.
 */
export function retryDelay(problem: Problem, attempts: number, baseMs: number): number {
  const seconds = problem.options.members?.seconds;
  if (typeof seconds === 'number') return seconds * 1_000 + Math.random() * baseMs;
  const longest = Math.min(baseMs * 2 ** (attempts - 1), Math.max(LONGEST_MS, baseMs));
  return longest * (0.5 + Math.random() / 2);
}
