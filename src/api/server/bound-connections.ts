import cluster from 'node:cluster';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Closes connections beyond the most as they come. */
export function boundConnections(server: Server, most: number): void {
  if (!cluster.isWorker) {
    server.maxConnections = most;
    return;
  }
  // On a shared port Node would hand it back, and its supervisor would hand it out again without end.
  let open = 0;
  server.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    if (open > most) socket.destroy();
  });
}
