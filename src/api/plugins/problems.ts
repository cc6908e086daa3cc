import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../problem.ts';
import { detailOf, isRedisUnavailable } from '../../redis/failure.ts';

/** Where a problem does not say how long to wait: clients wait for ever if nobody does. */
export const RETRY_AFTER_SECONDS = '1';

/** Makes every failure an RFC 9457 problem document; what is not one of ours says nothing of its inside. */
export function installProblems(app: FastifyInstance): void {
  app.setErrorHandler((error: Error, request, reply) => {
    sendProblem(request, reply, error);
  });
}

/** Answers with what an error is to the client. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
  const problem = toProblem(error);
  if (problem.code === 'internal')
    request.log.error({ err: error, route: request.routeOptions.url }, 'request failed');
  else if (problem.code === 'unavailable') request.log.warn({ err: error }, 'request not served');
  // Fastify closes after a refused body; the rest of it is read instead, so that the answer arrives.
  reply.removeHeader('connection');
  if (problem.code === 'shutting_down') reply.header('connection', 'close');
  if (problem.status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS);
  reply.code(problem.status).headers(problem.options.headers ?? {});
  reply
    .headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    .type('application/problem+json');
  reply.send(JSON.stringify(problem));
}

/** What an error is to the client: itself if it is a problem, else the kind of problem it stands for. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isRedisUnavailable(error)) return new Problem('unavailable', { ...detailOf(error), cause: error });
  const { code, statusCode = 500 } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Problem('body_too_large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Problem('unsupported_media_type');
  if (code === 'FST_ERR_BAD_URL')
    return new Problem('bad_request', {
      detail: 'The address is not well encoded.',
    });
  if (statusCode >= 400 && statusCode < 500) return new Problem('bad_request', { cause: error });
  return new Problem('internal', { cause: error });
}
