import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { every } from '../../every.ts';
import { findNextAnswer } from '../server/pipelines.ts';
import { findLatestAnswer } from './broken-requests.ts';

const PROBE_MS = 1_000;

/**
 * Answers clients that have closed their sending side behind the request. That looks just like a client that is gone, so while
 * the answer is under way they are sent `102 Processing` every second: a client that is gone refuses it, and its answer closes.
 */
export function installHalfOpen(app: FastifyInstance): void {
  // Node knows the option, its types do not.
  (app.server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  app.server.on('connection', (socket: Socket) => socket.once('end', () => watchHalfOpen(socket)));
}

function watchHalfOpen(socket: Socket): void {
  // Thousands of connections that asked nothing may go at once.
  if (findLatestAnswer(socket)?.writableEnded !== false) return;
  const probe = () => {
    const answer = findNextAnswer(socket);
    if (answer === undefined || answer.writableEnded) return;
    // A stream has no end to wait for.
    if (answer.headersSent) answer.destroy();
    // HTTP/1.0 knows no answers before the answer.
    else if (answer.req.httpVersionMinor > 0) answer.writeProcessing();
  };
  const probing = every(PROBE_MS, probe, { atOnce: true });
  socket.once('close', () => probing.stop());
}
