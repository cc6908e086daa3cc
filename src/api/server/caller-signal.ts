import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';

const signals = new WeakMap<Socket, AbortSignal>();

/**
 * Ends when the connection of a request is closed. It is one for all requests of a connection: of answers that wait behind
 * another on a connection that is gone Node tells nothing.
 */
export function callerSignal({ raw: { socket } }: FastifyRequest): AbortSignal {
  const known = signals.get(socket);
  if (known !== undefined) return known;
  const controller = new AbortController();
  if (socket.destroyed) controller.abort();
  else socket.once('close', () => controller.abort());
  // Every request of a pipeline listens.
  setMaxListeners(0, controller.signal);
  signals.set(socket, controller.signal);
  return controller.signal;
}
