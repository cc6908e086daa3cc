import { availableParallelism } from 'node:os';
import type { Config } from '../../config.ts';

/** How many worker processes there may be. */
export interface WorkerCounts {
  min: number;
  max: number;
}

/** How many API processes a setting asks for; with `auto` one for every two cores, as workers and Redis need the others. */
export function countApis(given: number | 'auto', cores = availableParallelism()): number {
  return given === 'auto' ? Math.max(1, Math.floor(cores / 2)) : given;
}

/** The range of workers that a setting allows; with `auto` at most one for each core, as a worker is one thread. */
export function countWorkers(
  given: Config['SWITCHBOARD_WORKERS'],
  cores = availableParallelism(),
): WorkerCounts {
  return given === 'auto' ? { min: 1, max: cores } : { min: given, max: given };
}
