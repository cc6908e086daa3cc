import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { serveDocument } from '../openapi/serve-document.ts';
import { asyncapiDocument } from '../updates/asyncapi-document.ts';

/** `/asyncapi.json`: the contents of the update streams. */
export function addAsyncapiRoute(app: FastifyInstance, config: Pick<Config, 'PUBLIC_URL'>): void {
  serveDocument(app, '/asyncapi.json', () => asyncapiDocument(config));
}
