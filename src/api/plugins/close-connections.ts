import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * Makes closing end as soon as the last answer is out. By itself the server would go on to wait for connections on which
 * nothing was ever asked.
 */
export function installCloseConnections(app: FastifyInstance): void {
  let answering = 0;
  let isClosing = false;
  const closeIfDone = () => {
    if (isClosing && answering === 0) app.server.closeAllConnections();
  };
  const onClose = () => {
    answering--;
    closeIfDone();
  };
  app.server.on('request', (_request, response: ServerResponse) => {
    answering++;
    response.on('close', onClose);
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    // Only once nothing new is let in.
    setImmediate(closeIfDone);
  });
}
