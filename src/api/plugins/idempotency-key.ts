import { Problem } from '../../problem.ts';
import type { Guard, RequestCheck } from './guards.ts';

/**
 * Refuses an `Idempotency-Key` on every `POST` except that of a single call: no other route supports it, and a caller who sends one relies
 * on it.
 */
export const idempotencyKeyGuard: Guard = (route) => {
  if (route === null || route.config?.call === true || ![route.method].flat().includes('POST')) return null;
  return refuseKey;
};

const refuseKey: RequestCheck = ({ headers }) => {
  if (headers['idempotency-key'] === undefined) return undefined;
  const detail =
    'Leave Idempotency-Key out: only a single call takes it, and each call of several the member `idempotencyKey`. ' +
    'Before you repeat another request, read whether the first one took effect.';
  return new Problem('invalid_header', { detail });
};
