import type { Principal } from '../../directory/principal.ts';
import { Problem } from '../../problem.ts';

/** What has a cap on its concurrent calls, beside the one that the operator has set. */
interface Capped {
  maxConcurrentCalls: number | null;
  operatorCap?: number | null;
}

/** What the root key sets as a cap is the operator's: kept beside it, as the bound of what others may set. */
export function withOperatorCap<Given extends Partial<Capped>>(principal: Principal, given: Given): Given {
  if (principal.kind !== 'root' || given.maxConcurrentCalls === undefined) return given;
  return { ...given, operatorCap: given.maxConcurrentCalls };
}

/**
 * Throws `forbidden` when an API key sets a cap beyond the operator's, or none where there is one. Where nobody knows who has set a
 * cap it counts as the operator's.
 */
export function checkCap(
  principal: Principal,
  { maxConcurrentCalls: wanted }: Partial<Capped>,
  { maxConcurrentCalls: present, operatorCap = present }: Capped,
): void {
  if (principal.kind === 'root' || wanted === undefined || operatorCap === null) return;
  if (wanted !== null && wanted <= operatorCap) return;
  const detail = `The operator has set a cap of ${operatorCap}; an API key may set that or less.`;
  throw new Problem('forbidden', { detail, errors: [{ pointer: '/maxConcurrentCalls', detail }] });
}
