import { Problem, type ProblemOptions } from '../../problem.ts';
import type { ProblemCode } from '../../problem-table.ts';
import { NO_WORKER, type WorkerWatch } from './worker-watch.ts';

/** Why a call ends without having run, with the options of its problem. */
const ENDINGS = {
  call_timeout: {},
  canceled: {},
  unavailable: { headers: { 'retry-after': '1' } },
  shutting_down: {},
  not_found: { detail: 'The messenger account was deleted while the call waited.' },
} satisfies Partial<Record<ProblemCode, ProblemOptions>>;

export type EndReason = keyof typeof ENDINGS;

/** The problem of a call that ends without having run. */
export function endProblem(reason: EndReason, workers: Pick<WorkerWatch, 'isMissing'>): Problem {
  const isUnserved = reason === 'call_timeout' && workers.isMissing;
  return new Problem(reason, isUnserved ? { detail: `${NO_WORKER} The call never runs.` } : ENDINGS[reason]);
}

/**
 * How a call ended:
 * - `replied`: its reply came
 * - `never runs`: it was sent, and then voided in the ledger
 * - `other`: it was never sent, or its reply was found in the ledger, or its outcome is unknown
 */
export type Ending = 'replied' | 'never runs' | 'other';
