import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isHeld } from '../server/pipelines.ts';

/**
 * Limits the time of a request that Node has called late while its connection was not read: Node says so only once. `onLate` is called
 * when its rest has not come within the time of a request after the connection is read again. `latestOf` gives the answer to the newest
 * request of a connection whose head has been read.
 */
export function limitRest(
  socket: Socket,
  latestOf: (socket: Socket) => ServerResponse | undefined,
  onLate: () => void,
): void {
  // Node sets it, its types do not know it.
  const { requestTimeout } = (socket as Socket & { server: Server }).server;
  const latest = latestOf(socket);
  const isHead = latest === undefined || latest.req.complete;
  let wasHeld = true;
  const look = () => {
    const isStillHeld = isHeld(socket);
    if (isStillHeld || wasHeld) {
      wasHeld = isStillHeld;
      return again();
    }
    const now = latestOf(socket);
    if (now === latest && (isHead || latest?.req.complete === false)) onLate();
    // Its head has come: what is late now is its body, or that of one behind it.
    else if (now !== latest && now?.req.complete === false) limitRest(socket, latestOf, onLate);
  };
  const again = () => {
    timer = setTimeout(look, requestTimeout).unref();
  };
  let timer: NodeJS.Timeout;
  again();
  socket.once('close', () => clearTimeout(timer));
}
