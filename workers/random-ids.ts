import { createHash } from 'node:crypto';
import type { TlMethod } from '../src/tl/methods.ts';

/**
 * Fills in the `randomId` a caller left out, derived from `seed` (the Idempotency-Key, else the call id): a call that runs
 * twice sends the same one, and the messenger recognizes the second.
 */
export function fillRandomIds(method: TlMethod, params: Record<string, unknown>, seed: string): object {
  if (method.randomId === null || params.randomId !== undefined) return params;
  if (method.randomId === 'one') return { ...params, randomId: deriveRandomId(seed, 0) };
  const count = Array.isArray(params.id) ? params.id.length : 1;
  return { ...params, randomId: Array.from({ length: count }, (_, index) => deriveRandomId(seed, index)) };
}

function deriveRandomId(seed: string, index: number): string {
  const digest = createHash('sha256').update(`${seed}\n${index}`).digest();
  return digest.readBigInt64BE(0).toString();
}
