import type { FastifyInstance, onRequestHookHandler, RouteOptions } from 'fastify';

/** Gives the check that runs before a route's own hooks, or null for none. A null route stands for unknown addresses. */
export type Guard = (route: RouteOptions | null) => onRequestHookHandler | null;

/**
 * Runs guards before everything else, in this order. Each is resolved once per route: looking at the route on every request
 * would cost more than most guards.
 */
export function installGuards(app: FastifyInstance, guards: Guard[]): void {
  const guardsOf = (route: RouteOptions | null) =>
    guards.map((guard) => guard(route)).filter((guard) => guard !== null);
  app.addHook('onRoute', (route) => {
    route.onRequest = [...guardsOf(route), ...[route.onRequest ?? []].flat()];
  });
  const unknown = guardsOf(null);
  app.addHook('onRequest', function guardUnknown(request, reply, done) {
    if (!request.is404) return done();
    const next = (place: number, error?: Error): void => {
      const guard = unknown[place];
      if (error !== undefined || guard === undefined) done(error);
      else guard.call(this, request, reply, (failure) => next(place + 1, failure));
    };
    next(0);
  });
}
