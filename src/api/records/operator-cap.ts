import type { Principal } from '../../directory/principal.ts';
import { Problem } from '../../problem.ts';

/** A record with a cap on concurrent calls, and the operator's cap. */
export interface Capped {
  maxConcurrentCalls: number | null;
  operatorCap?: number | null;
}

/** A cap set by the root key is the operator's. It is stored next to the cap, as the limit for other keys. */
export function withOperatorCap<Given extends Partial<Capped>>(principal: Principal, given: Given): Given {
  if (principal.kind !== 'root' || given.maxConcurrentCalls === undefined) return given;
  return { ...given, operatorCap: given.maxConcurrentCalls };
}

/** The operator's cap; null for none. A cap of unknown origin counts as the operator's. */
export function operatorCapOf({
  maxConcurrentCalls,
  operatorCap = maxConcurrentCalls,
}: Capped): number | null {
  return operatorCap;
}

/** Throws `forbidden` if an API key sets a cap above the operator's, or removes it. */
export function checkCap(
  principal: Principal,
  { maxConcurrentCalls: wanted }: Partial<Capped>,
  record: Capped,
): void {
  const operatorCap = operatorCapOf(record);
  if (principal.kind === 'root' || wanted === undefined || operatorCap === null) return;
  if (wanted !== null && wanted <= operatorCap) return;
  const detail = `The operator has set a cap of ${operatorCap}; an API key may set that or less.`;
  throw new Problem('forbidden', { detail, errors: [{ pointer: '/maxConcurrentCalls', detail }] });
}
