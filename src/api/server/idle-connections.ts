import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The most open connections without a request. */
export const IDLE_CONNECTIONS_MAX = 2_000;

// After a burst of connections, or a pause of the process, first requests may not have been read yet.
const GRACE_MS = 3_000;

/**
 * Closes the oldest connections without a request when there are too many: thousands from one client take time from others
 * when they close.
 */
export function boundIdleConnections(server: Server): void {
  // Connections by arrival, the oldest first.
  const unasked = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => {
    const now = performance.now();
    unasked.set(socket, now);
    socket.once('close', () => unasked.delete(socket));
    for (const [oldest, since] of unasked) {
      if (unasked.size <= IDLE_CONNECTIONS_MAX || now - since < GRACE_MS) break;
      unasked.delete(oldest);
      oldest.destroy();
    }
  });
  server.on('request', ({ socket }) => unasked.delete(socket));
}
