import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics.ts';

/** Counts answers by the pattern of their route, and those to unknown addresses as one. */
export function installCountRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onRoute', (route) => {
    const counted = metrics.requestCounter(route.url);
    route.onResponse = [
      ...[route.onResponse ?? []].flat(),
      function count(request, reply, done) {
        counted(request.method, reply.statusCode);
        done();
      },
    ];
  });
  const unknown = metrics.requestCounter('unknown');
  app.addHook('onResponse', (request, reply, done) => {
    if (request.is404) unknown(request.method, reply.statusCode);
    done();
  });
}
