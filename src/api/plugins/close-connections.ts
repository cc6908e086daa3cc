import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { findLatestAnswer } from './broken-requests.ts';

/**
 * Makes closing end as soon as the last answer is out. By itself the server would go on to wait for connections on which
 * nothing was ever asked. Answers that go out meanwhile say that their connections close, so that nobody asks more on them.
 */
export function installCloseConnections(app: FastifyInstance): void {
  const connections = new Set<Socket>();
  let answering = 0;
  let isClosing = false;
  const closeIfDone = () => {
    if (isClosing && answering === 0) app.server.closeAllConnections();
  };
  const noteClosed = () => {
    answering -= 1;
    closeIfDone();
  };
  app.server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  app.server.on('request', (_request, response: ServerResponse) => {
    answering += 1;
    response.on('close', noteClosed);
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    for (const socket of connections) {
      const answer = findLatestAnswer(socket);
      if (answer !== undefined && !answer.writableEnded) answer.shouldKeepAlive = false;
    }
    // Only once nothing new is let in.
    setImmediate(closeIfDone);
  });
}
