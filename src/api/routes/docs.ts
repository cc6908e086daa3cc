import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import type { Assets } from '../docs/assets.ts';
import { sendPage } from '../docs/html.ts';
import { referenceBody, referenceHead } from '../docs/reference-page.ts';
import { basePath } from '../records/location.ts';

/** `/docs`: a page to read and try the API. `/` leads there. */
export function addDocsRoutes(app: FastifyInstance, config: Config, assets: Assets): void {
  const shared = { config: { public: true }, schema: { hide: true } };
  const base = basePath(config);
  const page = {
    title: 'Switchboard API (beta)',
    head: referenceHead(assets, base),
    body: referenceBody(base),
  };
  app.get('/docs', shared, async (_request, reply) => sendPage(reply, assets, page));
  app.get('/', shared, async (_request, reply) => reply.redirect(`${base}/docs`));
}
