import cluster from 'node:cluster';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Closes new connections while `max` are open. */
export function boundConnections(server: Server, max: number): void {
  if (!cluster.isWorker) {
    server.maxConnections = max;
    return;
  }
  // With a shared port, `maxConnections` would hand the connection back to the supervisor, which would hand it out again without end.
  let open = 0;
  server.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    if (open > max) socket.destroy();
  });
}
