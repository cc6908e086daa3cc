import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../directory/principal.ts';
import type { Logger } from '../../logger.ts';
import { Problem } from '../../problem.ts';
import { detailOf, isRedisUnavailable } from '../../redis/failure.ts';
import { mayLogLine } from '../../tenant-lines.ts';
import { readerOf } from '../limits/reads.ts';
import { findLatestAnswer } from '../server/pipelines.ts';
import { CHALLENGE } from './principal.ts';
import { SERVER } from './response-headers.ts';

/** Answers every failure with an RFC 9457 problem document. An unexpected error reveals no internals. */
export function installProblems(app: FastifyInstance, log: Logger): void {
  app.setErrorHandler((error: Error, request, reply) => {
    sendProblem(request, reply, error, log);
  });
}

const logged = new WeakSet<FastifyRequest>();

/** Logs an unexpected error, which no answer reveals: once for a request, however many of its parts fail. */
function logInternal(request: FastifyRequest, err: unknown): void {
  if (logged.has(request)) return;
  logged.add(request);
  request.log.error({ err, route: request.routeOptions.url }, 'request failed');
}

/** Logs that a request cannot be served for now, unless that is logged already. Callers may try again at once, so the lines are bounded. */
function logUnavailable(request: FastifyRequest, err: unknown, log: Logger): void {
  // While Redis is away, it is not known of some requests whose they are.
  const principal = request.principal as Principal | null;
  const tenant = principal === null ? 'unknown' : readerOf(principal).tenant;
  if (logged.has(request) || !mayLogLine(log, tenant)) return;
  request.log.warn({ err }, 'request not served');
}

/** Notes that the log tells of a problem already, so that its answer logs it no more. */
export function markLogged(request: FastifyRequest, { code }: Problem): void {
  if (code === 'unavailable') logged.add(request);
}

/** Answers with the problem of an error. `log` is that of the process, of which lines are bounded. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: unknown, log: Logger): void {
  const problem = toProblem(error);
  if (problem.code === 'internal') logInternal(request, error);
  else if (problem.code === 'unavailable') logUnavailable(request, error, log);
  if (problem.code === 'shutting_down' || isLast(reply)) reply.header('connection', 'close');
  // Fastify would close the connection after a refused body; reading the rest lets the answer arrive.
  else reply.removeHeader('connection');
  if (problem.retryAfter !== null) reply.header('retry-after', problem.retryAfter);
  if (problem.code === 'unauthorized')
    reply.header('www-authenticate', `${CHALLENGE}, error="invalid_token"`);
  if (problem.code === 'forbidden')
    reply.header('www-authenticate', `${CHALLENGE}, error="insufficient_scope"`);
  reply.code(problem.status).headers(problem.options.headers ?? {});
  reply
    .headers({ server: SERVER, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    .type('application/problem+json');
  reply.send(JSON.stringify(problem));
}

// Whether the client has closed its side, and waits for no other answer. Node closes the connection then, but not if this header was
// removed.
function isLast({ raw, request }: FastifyReply): boolean {
  const { socket } = request.raw;
  return socket.readableEnded && findLatestAnswer(socket) === raw;
}

/** Converts the error of one item of a bulk request. An unexpected one is logged. */
export function toItemProblem(request: FastifyRequest, error: unknown): Problem {
  const problem = toProblem(error);
  if (problem.code === 'internal') logInternal(request, error);
  return problem;
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
