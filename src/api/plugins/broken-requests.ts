import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../problem.ts';
import { findLatestAnswer, findNextAnswer, isHeld, stopParsing } from '../server/pipelines.ts';
import { limitLateRest } from './limit-late-rest.ts';
import { SERVER } from './response-headers.ts';

const LINGER_MS = 1_000;
// Node no longer knows the connection, and so would not close it when the process stops.
const TUNNEL_MAX_MS = 10_000;

const TUNNEL = 'TUNNEL';

const broken = new WeakSet<Socket>();

/** Node's error for a request that it could not parse, with the bytes that it had. */
type BrokenRequest = Error & { code?: string; rawPacket?: unknown };

/**
 * Answers requests that Node could not parse, or that came too slowly, with a problem, and closes the connection. Earlier
 * requests of the connection are answered first.
 */
export function answerBrokenRequest(error: BrokenRequest, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  // The rest may have arrived already: the connection is currently not read.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isHeld(socket))
    return void limitLateRest(socket, () => answerBrokenRequest(error, socket));
  // Node emits an error for each further chunk.
  if (broken.has(socket)) return;
  broken.add(socket);
  stopParsing(socket);
  const latest = findLatestAnswer(socket);
  // Thousands of connections without a request may time out at once; answering each takes time from others.
  if (latest === undefined && socket.bytesRead === 0) return void socket.destroy();
  const answer = () => sendLast(socket, error);
  if (latest === undefined) answer();
  else if (latest.req.complete) whenSent(latest, answer);
  else if (latest.writableEnded) whenSent(latest, () => socket.destroySoon());
  else if (latest.headersSent) socket.destroy();
  // Its own body is broken, so this is its answer.
  else if (latest.socket === null) latest.once('socket', answer);
  else answer();
}

/**
 * Answers `CONNECT` as a broken request. By itself Node drops the connection, and gives its parser to another one although bytes of this
 * one still wait to be parsed.
 */
export function refuseTunnels({ server }: FastifyInstance): void {
  server.on('connect', (_request, socket: Socket) => {
    // Node has removed its own listeners. Without `drain`, earlier answers would stop once the client is slow.
    socket.on('error', () => undefined);
    socket.on('drain', () => findNextAnswer(socket)?.emit('drain'));
    const timer = setTimeout(() => socket.destroy(), TUNNEL_MAX_MS).unref();
    socket.once('close', () => clearTimeout(timer));
    answerBrokenRequest(Object.assign(new Error(), { code: TUNNEL }), socket);
    // What else arrives is dropped; without reading, the end of the connection would go unnoticed.
    socket.resume();
  });
}

function whenSent(answer: ServerResponse, then: () => void): void {
  if (answer.writableFinished) then();
  else answer.once('finish', then);
}

function sendLast(socket: Socket, { code, rawPacket }: BrokenRequest): void {
  if (!socket.writable) return;
  const problem = problemOf(code);
  const body = JSON.stringify(problem);
  const isHead = Buffer.isBuffer(rawPacket) && rawPacket.subarray(0, 5).toString('latin1') === 'HEAD ';
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.title}\r\nContent-Type: application/problem+json\r\n` +
      `${code === TUNNEL ? 'Allow:\r\n' : ''}` +
      `Server: ${SERVER}\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${isHead ? '' : body}`,
  );
  // If the socket closed at once, the client's system would drop the answer when more data arrives here.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

function problemOf(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return new Problem('headers_too_large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('request_timeout');
  if (code === TUNNEL) {
    const detail = 'Switchboard is no proxy and makes no tunnels: send it the request itself.';
    return new Problem('method_not_allowed', { detail });
  }
  return new Problem('bad_request', { detail: 'The request is not well-formed HTTP.' });
}
