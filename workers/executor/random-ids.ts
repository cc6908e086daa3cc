import { hash } from 'node:crypto';
import type { TlMethod } from '../../src/tl/methods.ts';
import { withMembers } from '../../src/with-members.ts';

// More than any method takes: to derive ids for the thousands that it refuses would take a while.
const DERIVED_MAX = 1_000;

/**
 * Fills in missing `randomId`s, derived from `seed` (the Idempotency-Key, else the call id). So a call that runs twice sends the same ids,
 * and the messenger recognizes the second run.
 */
export function fillRandomIds(method: TlMethod, params: Record<string, unknown>, seed: string): object {
  const { randomId, randomIdItems } = method;
  if (randomIdItems !== null && Array.isArray(params[randomIdItems])) {
    const items = params[randomIdItems] as Record<string, unknown>[];
    const filled = items.map((item, index) => ({
      randomId: deriveRandomId(seed, index),
      ...item,
    }));
    return withMembers(params, { [randomIdItems]: filled });
  }
  if (randomId === null || params.randomId !== undefined) return params;
  if (randomId === 'one') return withMembers(params, { randomId: deriveRandomId(seed, 0) });
  const count = Array.isArray(params.id) ? Math.min(params.id.length, DERIVED_MAX) : 1;
  return withMembers(params, {
    randomId: Array.from({ length: count }, (_, index) => deriveRandomId(seed, index)),
  });
}

/** Whether the caller gave no `randomId` at all. */
export function hasNoRandomIds({ randomIdItems }: TlMethod, params: Record<string, unknown>): boolean {
  const items = randomIdItems === null ? undefined : params[randomIdItems];
  if (!Array.isArray(items)) return params.randomId === undefined;
  return items.every(({ randomId }: { randomId?: string }) => randomId === undefined);
}

function deriveRandomId(seed: string, index: number): string {
  // As hex: creating a buffer takes longer than the digest.
  const digest = hash('sha256', `${seed}\n${index}`, 'hex');
  return BigInt.asIntN(64, BigInt(`0x${digest.slice(0, 16)}`)).toString();
}
