import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { asyncapiDocument } from '../updates/asyncapi-document.ts';

/** `/asyncapi.json`: what is on the update streams, made before the first request: it takes long. */
export function addAsyncapiRoute(app: FastifyInstance, config: Pick<Config, 'PUBLIC_URL'>): void {
  const made = makeDocument(config);
  app.get('/asyncapi.json', { config: { public: true }, schema: { hide: true } }, async (request, reply) => {
    reply.headers({ etag: made.etag, 'cache-control': 'no-cache', 'content-type': 'application/json' });
    if (request.headers['if-none-match'] === made.etag) return reply.code(304).send();
    return reply.send(made.body);
  });
}

function makeDocument(config: Pick<Config, 'PUBLIC_URL'>): { body: Buffer; etag: string } {
  const body = Buffer.from(JSON.stringify(asyncapiDocument(config)));
  return { body, etag: `"${hash('sha256', body).slice(0, 32)}"` };
}
