import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { asksFor } from '../headers/accept.ts';
import { vary } from '../headers/vary.ts';
import type { Assets } from '../pages/assets.ts';
import { consoleBody } from '../pages/console-page.ts';
import { type Page, plainBody, scriptsHead, sendHtmlPage } from '../pages/html.ts';
import { referenceBody, referenceHead } from '../pages/reference-page.ts';
import { basePath } from '../records/location.ts';

const LINKS = {
  docs: ['Reference', 'Every method and request, to search, read and try'],
  console: ['Console', 'Load, workers, failures and webhooks of the whole gateway, for its operators'],
  problems: ['Errors', 'What each means, and what to do about it'],
  'openapi.json': ['OpenAPI', 'The same for programs; /openapi-shallow.json is without recursion'],
  'asyncapi.json': ['AsyncAPI', 'What is on the update streams'],
  readyz: ['Health', 'Whether this process and what it needs are there; /livez, /metrics'],
} as const;

/** `/docs`: a page to read and try the API; `/console`: a page to operate it. `/` leads to `/docs`. */
export function addDocsRoutes(app: FastifyInstance, config: Config, assets: Assets): void {
  const shared = { config: { public: true }, schema: { hide: true } };
  const base = basePath(config);
  const page = {
    title: 'Switchboard API (beta)',
    head: referenceHead(assets, base),
    body: referenceBody(base),
  };
  app.get('/docs', shared, async (_request, reply) => sendHtmlPage(reply, assets, page));
  const console: Page = {
    name: 'console',
    title: 'Switchboard console (beta)',
    head: scriptsHead(assets, 'console'),
    body: consoleBody(base),
  };
  app.get('/console', shared, async (_request, reply) => sendHtmlPage(reply, assets, console));
  const start = { title: 'Switchboard (beta)', body: plainBody(base, startContent(base)) };
  app.get('/', shared, async (request, reply) => {
    vary(reply, 'Accept');
    const isBrowser = asksFor(request.headers.accept, 'text/html', 'application/json');
    return isBrowser ? sendHtmlPage(reply, assets, start) : reply.redirect(`${base}/docs`);
  });
}

function startContent(base: string): string {
  const cards = Object.entries(LINKS).map(
    ([path, [name, about]]) =>
      `<li><a href="${base}/${path}"><strong>${name}</strong><span>${about}</span></a></li>`,
  );
  return `<article>
<h1>Switchboard</h1>
<p class="lead">A queue-backed gateway to messenger accounts.</p>
<ul class="cards">
${cards.join('\n')}
</ul>
</article>`;
}
