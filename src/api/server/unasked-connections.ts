import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How many connections may stay open on which nothing has been asked yet. */
export const UNASKED_MAX = 2_000;

// Of a burst of connections the first requests may not have been read yet, also where the process stood still for a moment.
const GRACE_MS = 3_000;

/**
 * Closes the oldest of the connections on which nothing has been asked when there are too many. Thousands that one client opens for
 * nothing would take the time of others when they go.
 */
export function boundUnaskedConnections(server: Server): void {
  // When each came, in that order.
  const unasked = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => {
    const now = performance.now();
    unasked.set(socket, now);
    socket.once('close', () => unasked.delete(socket));
    for (const [oldest, since] of unasked) {
      if (unasked.size <= UNASKED_MAX || now - since < GRACE_MS) break;
      unasked.delete(oldest);
      oldest.destroy();
    }
  });
  server.on('request', ({ socket }) => unasked.delete(socket));
}
