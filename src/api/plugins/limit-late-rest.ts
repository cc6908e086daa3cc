import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { countRequests, findLatestAnswer, isHeld } from '../server/pipelines.ts';

/**
 * Limits the time of a request that Node has reported as late while its connection was not read; Node reports this only once. `onLate` is
 * called if the rest of the request has not arrived within the request timeout after the connection is read again.
 */
export function limitLateRest(socket: Socket, onLate: () => void): void {
  // Node's types lack this property.
  const { requestTimeout } = (socket as Socket & { server: Server }).server;
  const begun = countRequests(socket);
  const isHead = !awaitsBody(socket);
  let wasHeld = true;
  const check = () => {
    const isStillHeld = isHeld(socket);
    if (isStillHeld || wasHeld) {
      wasHeld = isStillHeld;
      return again();
    }
    const hasMore = countRequests(socket) > begun;
    if (!hasMore && (isHead || awaitsBody(socket))) onLate();
    // Its head has arrived: now its body is late, or the body of a later request.
    else if (hasMore && awaitsBody(socket)) limitLateRest(socket, onLate);
  };
  const again = () => {
    timer = setTimeout(check, requestTimeout).unref();
  };
  let timer: NodeJS.Timeout;
  again();
  socket.once('close', () => clearTimeout(timer));
}

/** Whether the body of a connection's newest request has not arrived whole. */
function awaitsBody(socket: Socket): boolean {
  return findLatestAnswer(socket)?.req.complete === false;
}
