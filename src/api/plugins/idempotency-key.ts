import type { onRequestHookHandler } from 'fastify';
import { Problem } from '../../problem.ts';
import type { Guard } from './guards.ts';

/**
 * Refuses an `Idempotency-Key` on every `POST` but that of a single call: nothing else keeps it, and a caller who sends one relies on
 * it.
 */
export const idempotencyKeyGuard: Guard = (route) => {
  if (route === null || route.config?.call === true || ![route.method].flat().includes('POST')) return null;
  return refuseKey;
};

const refuseKey: onRequestHookHandler = function refuseKey({ headers }, _reply, done) {
  if (headers['idempotency-key'] === undefined) return done();
  const detail =
    'Leave Idempotency-Key out: only a single call takes it, and each call of several the member `idempotencyKey`. ' +
    'Before you repeat another request, read whether the first one took effect.';
  done(new Problem('invalid_header', { detail }));
};
