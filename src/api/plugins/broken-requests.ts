import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../problem.ts';
import { isHeld } from '../server/pipelines.ts';
import { limitRest } from './late-rest.ts';

const LINGER_MS = 1_000;

const latestAnswers = new WeakMap<Socket, ServerResponse>();
const broken = new WeakSet<Socket>();

/** Remembers the answer that comes last on each connection, for `answerBrokenRequest` and `findLatestAnswer`. */
export function installBrokenRequests(app: FastifyInstance): void {
  app.server.on('request', ({ socket }, response: ServerResponse) => latestAnswers.set(socket, response));
}

/** The answer to the newest request of a connection, under way or not; undefined where nothing was ever asked. */
export function findLatestAnswer(socket: Socket): ServerResponse | undefined {
  return latestAnswers.get(socket);
}

/**
 * Answers what Node could not read as HTTP, or not in time, with a problem document and closes the connection. What was asked
 * before on the same connection gets its own answer first.
 */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  // What is late has come or would have come: it is not read yet.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isHeld(socket))
    return void limitRest(socket, findLatestAnswer, () => answerBrokenRequest(error, socket));
  // Whatever still comes is not read as HTTP any more, and each piece of it is one more error.
  if (broken.has(socket)) return;
  broken.add(socket);
  const latest = latestAnswers.get(socket);
  // Thousands may have asked nothing, and an answer to each would take the time of others.
  if (latest === undefined && socket.bytesRead === 0) return void socket.destroy();
  const answer = () => sendLast(socket, error.code);
  if (latest === undefined) answer();
  else if (latest.req.complete) whenSent(latest, answer);
  else if (latest.writableEnded) whenSent(latest, () => socket.destroySoon());
  else if (latest.headersSent) socket.destroy();
  // Its own body is what is broken: that is the answer to it, in its turn.
  else if (latest.socket === null) latest.once('socket', answer);
  else answer();
}

function whenSent(answer: ServerResponse, then: () => void): void {
  if (answer.writableFinished) then();
  else answer.once('finish', then);
}

function sendLast(socket: Socket, code: string | undefined): void {
  if (!socket.writable) return;
  const problem = problemOf(code);
  const body = JSON.stringify(problem);
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.title}\r\nContent-Type: application/problem+json\r\n` +
      `X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // Closed at once, what the client is still sending would make the system throw the answer away.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

function problemOf(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return new Problem('headers_too_large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('request_timeout');
  return new Problem('bad_request', { detail: 'The request is not well-formed HTTP.' });
}
