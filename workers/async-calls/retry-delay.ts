import type { Problem } from '../../src/problem.ts';

const LONGEST_MS = 5 * 60_000;

// Sooner, the job of the attempt before may still be there, and be taken for the one of the next.
const SHORTEST_MS = 250;

/**
 * How long to wait, in ms, after the `attempts`-th attempt met a problem: as long as the messenger says, else twice as long each
 * time, with jitter, so that those that failed together do not come again together.
 */
export function retryDelay(problem: Problem, attempts: number, baseMs: number): number {
  const seconds = problem.options.members?.seconds;
  if (typeof seconds === 'number') return Math.max(SHORTEST_MS, seconds * 1_000 + Math.random() * baseMs);
  const longest = Math.min(baseMs * 2 ** (attempts - 1), Math.max(LONGEST_MS, baseMs));
  return Math.max(SHORTEST_MS, longest * (0.5 + Math.random() / 2));
}
