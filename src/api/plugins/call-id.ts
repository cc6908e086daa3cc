import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { newId } from '../../ids.ts';
import type { Guard } from './guards.ts';

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
export const callIdGuard: Guard = (route) => (route?.config?.call === true ? giveCallId : null);

/** Gives requests the place for the id of their call; once per app, before the routes. */
export function installCallId(app: FastifyInstance): void {
  app.decorateRequest('callId', '');
}

const giveCallId: onRequestHookHandler = (request, reply, done) => {
  request.callId = newId('call');
  reply.header('call-id', request.callId);
  done();
};
