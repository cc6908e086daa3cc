import type { FastifyInstance } from 'fastify';
import { vary } from '../headers/vary.ts';
import { SERVER } from './response-headers.ts';

const EXPOSED_HEADERS = [
  'Allow',
  'Call-Id',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Stream-Cursor',
  'Stream-Earliest-Offset',
  'Stream-Next-Offset',
  'Stream-Up-To-Date',
  'WWW-Authenticate',
].join(', ');

const PREFLIGHT_SECONDS = '600';

/** Lets pages of these origins (`*` for all) use the API. There are no cookies, so this puts no key at risk. */
export function installCors(app: FastifyInstance, origins: string[]): void {
  if (origins.length === 0) return;
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    vary(reply, 'Origin');
    if (origin === undefined || !(origins.includes('*') || origins.includes(origin))) return done();
    reply.header('access-control-allow-origin', origins.includes('*') ? '*' : origin);
    reply.header('access-control-expose-headers', EXPOSED_HEADERS);
    const wanted = request.headers['access-control-request-method'];
    if (request.method !== 'OPTIONS' || wanted === undefined) return done();
    reply.headers({
      server: SERVER,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers':
        request.headers['access-control-request-headers'] ?? 'Authorization, Content-Type',
      'access-control-max-age': PREFLIGHT_SECONDS,
    });
    reply.code(204).send();
  });
}
