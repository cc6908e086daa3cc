import cluster from 'node:cluster';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Closes new connections while as many are open as the function that it returns was last given. */
export function boundConnections(server: Server): (max: number) => void {
  if (!cluster.isWorker)
    return (most) => {
      server.maxConnections = most;
    };
  let max = Number.POSITIVE_INFINITY;
  // With a shared port, `maxConnections` would hand the connection back to the supervisor, which would hand it out again without end.
  let open = 0;
  server.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    if (open > max) socket.destroy();
  });
  return (most) => {
    max = most;
  };
}
