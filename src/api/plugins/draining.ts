import { Problem } from '../../problem.ts';
import type { Lifecycle } from '../deps.ts';
import type { Guard } from './guards.ts';

/** Refuses requests while the process stops, except those to public routes. */
export function drainingGuard(lifecycle: Lifecycle): Guard {
  return (route) => {
    if (route?.config?.public === true) return null;
    return () =>
      lifecycle.draining ? new Problem('shutting_down', { headers: { 'retry-after': '1' } }) : undefined;
  };
}
