import type { ProblemOptions } from '../../problem.ts';
import type { ProblemCode } from '../../problem-table.ts';

/** Why a call ends without having run, with the options of its problem. */
export const ENDINGS = {
  call_timeout: {},
  canceled: {},
  unavailable: { headers: { 'retry-after': '1' } },
  shutting_down: {},
  not_found: { detail: 'The messenger account was deleted while the call waited.' },
} satisfies Partial<Record<ProblemCode, ProblemOptions>>;

export type EndReason = keyof typeof ENDINGS;

/**
 * How a call ended:
 * - `replied`: its reply came
 * - `never runs`: it was sent, and then voided in the ledger
 * - `other`: it was never sent, or its reply was found in the ledger, or its outcome is unknown
 */
export type Ending = 'replied' | 'never runs' | 'other';
