import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isHeld } from '../server/pipelines.ts';

/**
 * Limits the time of a request that Node has reported as late while its connection was not read; Node reports this only once. `onLate` is
 * called if the rest of the request has not arrived within the request timeout after the connection is read again. `latestOf` returns the
 * answer to the newest request of a connection whose head has been read.
 */
export function limitLateRest(
  socket: Socket,
  latestOf: (socket: Socket) => ServerResponse | undefined,
  onLate: () => void,
): void {
  // Node's types lack this property.
  const { requestTimeout } = (socket as Socket & { server: Server }).server;
  const latest = latestOf(socket);
  const isHead = latest === undefined || latest.req.complete;
  let wasHeld = true;
  const check = () => {
    const isStillHeld = isHeld(socket);
    if (isStillHeld || wasHeld) {
      wasHeld = isStillHeld;
      return again();
    }
    const now = latestOf(socket);
    if (now === latest && (isHead || latest?.req.complete === false)) onLate();
    // Its head has arrived: now its body is late, or the body of a later request.
    else if (now !== latest && now?.req.complete === false) limitLateRest(socket, latestOf, onLate);
  };
  const again = () => {
    timer = setTimeout(check, requestTimeout).unref();
  };
  let timer: NodeJS.Timeout;
  again();
  socket.once('close', () => clearTimeout(timer));
}
