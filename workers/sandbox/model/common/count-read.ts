import type { CallContext } from '../../../driver.ts';

/** Counts what was read towards what the call costs. */
export function countRead({ tx }: Pick<CallContext, 'tx'>, found: readonly (string | null)[]): void {
  for (const text of found) tx.charactersRead += text?.length ?? 0;
}
