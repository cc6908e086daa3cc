import type { FastifyInstance } from 'fastify';
import { newId } from '../../ids.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The id of the call; only on routes that take calls. */
    callId: string;
  }
  interface FastifyContextConfig {
    /** Whether requests to the route are calls, and every answer names the call. */
    call?: boolean;
  }
}

/** Gives each call its id before anything can go wrong, so that the answer carries `Call-Id` whatever it is. */
export function installCallId(app: FastifyInstance): void {
  app.decorateRequest('callId', '');
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.call === true) {
      request.callId = newId('call');
      reply.header('call-id', request.callId);
    }
    done();
  });
}
