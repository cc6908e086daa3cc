import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { findLatestAnswer } from './broken-requests.ts';

/**
 * Makes closing end as soon as the last answer is out. By itself the server would go on to wait for connections on which
 * nothing was ever asked. Answers that go out meanwhile say that their connections close, so that nobody asks more on them.
 */
export function installCloseConnections(app: FastifyInstance): void {
  // How many answers are under way on each connection.
  const connections = new Map<Socket, number>();
  let answering = 0;
  let isClosing = false;
  const closeIfDone = () => {
    if (isClosing && answering === 0) app.server.closeAllConnections();
  };
  const count = (socket: Socket, change: number) => {
    const known = connections.get(socket);
    if (known === undefined) return;
    connections.set(socket, known + change);
    answering += change;
    closeIfDone();
  };
  app.server.on('connection', (socket: Socket) => {
    connections.set(socket, 0);
    socket.once('close', () => {
      // Of answers that wait behind another on a connection that is gone, Node tells nothing.
      count(socket, -(connections.get(socket) ?? 0));
      connections.delete(socket);
    });
  });
  app.server.on('request', ({ socket }, response: ServerResponse) => {
    count(socket, 1);
    response.on('close', () => count(socket, -1));
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    for (const socket of connections.keys()) {
      const answer = findLatestAnswer(socket);
      if (answer !== undefined && !answer.writableEnded) answer.shouldKeepAlive = false;
    }
    // Only once nothing new is let in.
    setImmediate(closeIfDone);
  });
}
