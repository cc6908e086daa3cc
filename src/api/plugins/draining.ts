import { Problem } from '../../problem.ts';
import type { Lifecycle } from '../deps.ts';
import type { Guard } from './guards.ts';

/** Sends requests elsewhere while the process stops; the public routes go on to answer. */
export function drainingGuard(lifecycle: Lifecycle): Guard {
  return (route) => {
    if (route?.config?.public === true) return null;
    return function checkDraining(_request, _reply, done) {
      done(
        lifecycle.draining ? new Problem('shutting_down', { headers: { 'retry-after': '1' } }) : undefined,
      );
    };
  };
}
