import cluster from 'node:cluster';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Closes new connections while `most` are open. */
export function boundConnections(server: Server, most: number): void {
  if (!cluster.isWorker) {
    server.maxConnections = most;
    return;
  }
  // With a shared port, `maxConnections` would hand the connection back to the supervisor, which would hand it out again without end.
  let open = 0;
  server.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    if (open > most) socket.destroy();
  });
}
