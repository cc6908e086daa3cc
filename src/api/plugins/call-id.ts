import { newId } from '../../ids.ts';
import type { Guard, RequestCheck } from './guards.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The id of the call; only on routes of calls. */
    callId: string;
  }
  interface FastifyContextConfig {
    /** Whether the route is one of calls, whose answers have a `Call-Id`. */
    call?: boolean;
  }
}

/** Gives each call its id first, so that every answer carries `Call-Id`. */
export const callIdGuard: Guard = (route) => (route?.config?.call === true ? giveCallId : null);

const giveCallId: RequestCheck = (request, reply) => {
  request.callId = newId('call');
  reply.header('call-id', request.callId);
  return undefined;
};
