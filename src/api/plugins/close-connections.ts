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
  // Those with an answer under way, once that counts.
  const answering = new Set<Socket>();
  let isClosing = false;
  const closeIfDone = () => {
    if (isClosing && answering.size === 0) app.server.closeAllConnections();
  };
  const awaitAnswer = (socket: Socket, answer: ServerResponse) => {
    answering.add(socket);
    answer.on('close', () => {
      // With the latest of a connection all others are out.
      if (findLatestAnswer(socket) === answer) answering.delete(socket);
      closeIfDone();
    });
  };
  app.server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => {
      // Of answers that wait behind another on a connection that is gone, Node tells nothing.
      connections.delete(socket);
      answering.delete(socket);
      closeIfDone();
    });
  });
  app.server.on('request', ({ socket }, response: ServerResponse) => {
    if (isClosing) awaitAnswer(socket, response);
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    for (const socket of connections) {
      const answer = findLatestAnswer(socket);
      if (answer === undefined || answer.closed) continue;
      if (!answer.writableEnded) answer.shouldKeepAlive = false;
      awaitAnswer(socket, answer);
    }
    // Only once nothing new is let in.
    setImmediate(closeIfDone);
  });
}
