import { createServer, type Server } from 'node:http';
import type { FastifyServerOptions } from 'fastify';
import { boundIdleConnections } from './idle-connections.ts';
import { type LaneOf, Pipelines, type RequestHandler } from './pipelines.ts';
import { cutSlowReaders } from './slow-readers.ts';
import { writeSingleChunk } from './write-single-chunk.ts';

/** The most bytes of a request's line and headers together. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** Creates the HTTP server of an app and bounds its connections. */
export function openServer(
  handle: RequestHandler,
  options: FastifyServerOptions & { http?: object },
  laneOf: LaneOf,
): Server {
  const server = createServer(options.http ?? {});
  const pipelines = new Pipelines(server, handle, laneOf);
  server.on('request', (request, response) => pipelines.take(request, response));
  server.keepAliveTimeout = options.keepAliveTimeout ?? 0;
  server.requestTimeout = options.requestTimeout ?? 0;
  server.setTimeout(options.connectionTimeout ?? 0);
  writeSingleChunk(server);
  cutSlowReaders(server);
  boundIdleConnections(server);
  return server;
}
