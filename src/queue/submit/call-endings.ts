import type { ProblemOptions } from '../../problem.ts';
import type { ProblemCode } from '../../problem-table.ts';

/** Why a call ends without having run, and what its problem says beside that. */
export const ENDINGS = {
  call_timeout: {},
  canceled: {},
  unavailable: { headers: { 'retry-after': '1' } },
  shutting_down: {},
  not_found: { detail: 'The messenger account was deleted while the call waited.' },
} satisfies Partial<Record<ProblemCode, ProblemOptions>>;

export type EndReason = keyof typeof ENDINGS;

/**
 * How a call came to its end:
 * - `replied`: its reply came
 * - `never runs`: it was sent, and the ledger has made sure that it never takes effect
 * - `other`: it was never sent, or the ledger knows its reply, or nobody knows what became of it
 */
export type Ending = 'replied' | 'never runs' | 'other';
