import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * Makes closing end as soon as the last answer is out. By itself the server would go on to wait for connections on which
 * nothing was ever asked. Answers that go out meanwhile say that their connections close, so that nobody asks more on them.
 */
export function installCloseConnections(app: FastifyInstance): void {
  const answering = new Set<ServerResponse>();
  let isClosing = false;
  const closeIfDone = () => {
    if (isClosing && answering.size === 0) app.server.closeAllConnections();
  };
  app.server.on('request', (_request, response: ServerResponse) => {
    answering.add(response);
    response.on('close', () => {
      answering.delete(response);
      closeIfDone();
    });
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    for (const response of answering) response.shouldKeepAlive = false;
    // Only once nothing new is let in.
    setImmediate(closeIfDone);
  });
}
