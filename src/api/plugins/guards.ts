import type { FastifyInstance, onRequestHookHandler, RouteOptions } from 'fastify';

/**
 * What a route asks of its requests before its own hooks do, or null where it asks nothing; for null as the route, what an
 * address asks that no route has.
 */
export type Guard = (route: RouteOptions | null) => onRequestHookHandler | null;

/**
 * Puts guards before everything else, in their order. Whether a route needs one is decided once, when it is added: looking at
 * the route on every request costs more than most guards do.
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
