import type { onRequestHookHandler } from 'fastify';
import type { Guard } from './guards.ts';

/** Sets `nosniff` and `no-store`, unless the route says otherwise. */
export const responseHeadersGuard: Guard = () => setHeaders;

const setHeaders: onRequestHookHandler = function setResponseHeaders(_request, reply, done) {
  reply.header('x-content-type-options', 'nosniff').header('cache-control', 'no-store');
  done();
};
