import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { basePath } from '../records/location.ts';
import { DOCS_SCRIPT, DOCS_STYLE } from './docs-page.ts';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Switchboard API (beta)</title>
<style>${DOCS_STYLE}</style>
</head>
<body>
<main><p>Loading the API description…</p></main>
<script>${DOCS_SCRIPT}</script>
</body>
</html>
`;

// Only the page's own script runs, and it talks only to this server.
const POLICY = [
  "default-src 'none'",
  `script-src ${source(DOCS_SCRIPT)}`,
  `style-src ${source(DOCS_STYLE)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `/docs`: a self-contained page to read and try the API. `/` leads there. */
export function addDocsRoutes(app: FastifyInstance, config: Config): void {
  const shared = { config: { public: true }, schema: { hide: true } };
  app.get('/docs', shared, async (_request, reply) => {
    reply.headers({
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-cache',
    });
    return reply.type('text/html; charset=utf-8').send(PAGE);
  });
  app.get('/', shared, async (_request, reply) => reply.redirect(`${basePath(config)}/docs`));
}

function source(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}
