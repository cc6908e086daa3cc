import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { every } from '../../every.ts';
import { findLatestAnswer, findNextAnswer } from '../server/pipelines.ts';

const PROBE_MS = 1_000;

/**
 * Answers clients that have closed their sending side. They look like clients that are gone, so a `102 Processing` is sent
 * every second while the answer is under way: a dead peer resets the connection, a live one ignores it.
 */
export function installHalfOpen(app: FastifyInstance): void {
  // Missing in Node's types.
  (app.server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  app.server.on('connection', (socket: Socket) => socket.once('end', () => watchHalfOpen(socket)));
}

function watchHalfOpen(socket: Socket): void {
  // Thousands of connections without a request may close at once.
  if (findLatestAnswer(socket)?.writableEnded !== false) return;
  const probe = () => {
    const answer = findNextAnswer(socket);
    if (answer === undefined || answer.writableEnded) return;
    if (answer.headersSent) {
      // A stream of events has no end. The client must be reading the pieces of another answer, or is disconnected.
      if (!answer.hasHeader('content-length')) answer.destroy();
    }
    // HTTP/1.0 has no interim responses.
    else if (answer.req.httpVersionMinor > 0) answer.writeProcessing();
  };
  probe();
  if (socket.destroyed) return;
  const probing = every(PROBE_MS, probe);
  socket.once('close', () => probing.stop());
}
