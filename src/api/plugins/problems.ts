import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../problem.ts';
import { detailOf, isRedisUnavailable } from '../../redis/failure.ts';
import { findLatestAnswer } from '../server/pipelines.ts';
import { CHALLENGE } from './principal.ts';

/** Answers every failure with an RFC 9457 problem document. An unexpected error reveals no internals. */
export function installProblems(app: FastifyInstance): void {
  app.setErrorHandler((error: Error, request, reply) => {
    sendProblem(request, reply, error);
  });
}

/** Answers with the problem of an error. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
  const problem = toProblem(error);
  if (problem.code === 'internal')
    request.log.error({ err: error, route: request.routeOptions.url }, 'request failed');
  else if (problem.code === 'unavailable') request.log.warn({ err: error }, 'request not served');
  if (problem.code === 'shutting_down' || isLast(reply)) reply.header('connection', 'close');
  // Fastify would close the connection after a refused body; reading the rest lets the answer arrive.
  else reply.removeHeader('connection');
  if (problem.retryAfter !== null) reply.header('retry-after', problem.retryAfter);
  if (problem.code === 'forbidden')
    reply.header('www-authenticate', `${CHALLENGE}, error="insufficient_scope"`);
  reply.code(problem.status).headers(problem.options.headers ?? {});
  reply
    .headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    .type('application/problem+json');
  reply.send(JSON.stringify(problem));
}

// Whether the client has closed its side, and waits for no other answer. Node closes the connection then, but not if this header was
// removed.
function isLast({ raw, request }: FastifyReply): boolean {
  const { socket } = request.raw;
  return socket.readableEnded && findLatestAnswer(socket) === raw;
}

/** Converts an error to a problem. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isRedisUnavailable(error)) return new Problem('unavailable', { ...detailOf(error), cause: error });
  const { code, statusCode = 500 } = error as Partial<FastifyError>;
  // The caller has gone while a large answer was sent.
  if (code === 'ERR_STREAM_PREMATURE_CLOSE') return new Problem('canceled');
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Problem('body_too_large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Problem('unsupported_media_type');
  if (code === 'FST_ERR_BAD_URL')
    return new Problem('bad_request', {
      detail: 'The address is not well encoded.',
    });
  if (statusCode >= 400 && statusCode < 500) return new Problem('bad_request', { cause: error });
  return new Problem('internal', { cause: error });
}
