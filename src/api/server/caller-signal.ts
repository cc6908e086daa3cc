import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';

// Made once: with its stack it takes longer than all else that the end of a connection does, and thousands may end at once.
const GONE = new DOMException('The connection was closed', 'AbortError');

const signals = new WeakMap<Socket, AbortSignal>();

/**
 * Aborts when the connection of a request closes. All requests of a connection share it: Node emits nothing for pipelined
 * answers on a lost connection.
 */
export function callerSignal({ raw: { socket } }: FastifyRequest): AbortSignal {
  const known = signals.get(socket);
  if (known !== undefined) return known;
  const controller = new AbortController();
  if (socket.destroyed) controller.abort(GONE);
  else socket.once('close', () => controller.abort(GONE));
  // Every pipelined request adds a listener.
  setMaxListeners(0, controller.signal);
  signals.set(socket, controller.signal);
  return controller.signal;
}
