import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { findLatestAnswer } from '../server/pipelines.ts';

/**
 * Lets `close` end with the last answer: by itself the server waits for idle connections too. Answers sent meanwhile carry
 * `Connection: close`.
 */
export function installCloseConnections(app: FastifyInstance): void {
  const connections = new Set<Socket>();
  // Connections with an answer under way; filled once the server closes.
  const answering = new Set<Socket>();
  let isClosing = false;
  const closeIfDone = () => {
    if (isClosing && answering.size === 0) app.server.closeAllConnections();
  };
  const awaitAnswer = (socket: Socket, answer: ServerResponse) => {
    answering.add(socket);
    answer.on('close', () => {
      // When the latest answer of a connection is sent, so are all before it. It is undefined where it has been sent.
      const latest = findLatestAnswer(socket);
      if (latest === undefined || latest === answer) answering.delete(socket);
      closeIfDone();
    });
  };
  app.server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => {
      // Node emits nothing for answers that wait behind another on a lost connection.
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
    // Only once new connections are refused.
    setImmediate(closeIfDone);
  });
}
