import type { FastifyReply } from 'fastify';
import type { Assets, PageName } from './assets.ts';

// Only the page's own scripts run, and they connect only to this server.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A page to send. Its texts are HTML. */
export interface Page {
  /** The page whose styles are used; `docs` by default. */
  name?: PageName;
  title: string;
  /** Further content of the head. */
  head?: string;
  /** The whole `<body>` element. */
  body: string;
}

/** Sends a page, with headers that allow it only its own scripts. */
export function sendHtmlPage(
  reply: FastifyReply,
  assets: Assets,
  { name = 'docs', title, head = '', body }: Page,
): FastifyReply {
  reply.headers({
    'content-security-policy': POLICY,
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-cache',
  });
  const styles = assets
    .filesOf(name, 'css')
    .map((file) => `<link rel="stylesheet" href="${assets.addressOf(file)}">`);
  return reply.type('text/html; charset=utf-8').send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${assets.addressOf('shared/icon.svg')}">
${styles.join('\n')}
${head}</head>
${body}
</html>
`);
}

/** The scripts of a page for its head, all requested at once. */
export function scriptsHead(assets: Assets, name: PageName): string {
  const modules = assets
    .filesOf(name, 'js')
    .map((file) => `<link rel="modulepreload" href="${assets.addressOf(file)}">\n`);
  return `${modules.join('')}<script type="module" src="${assets.addressOf(`${name}/main.js`)}"></script>\n`;
}

/** The body of a static page. */
export function plainBody(base: string, content: string): string {
  return `<body class="plain-page">
<header class="top">
<a class="brand" href="${base}/docs">Switch<span>board</span></a>
<span class="beta">beta</span>
<nav aria-label="Documents">
<a href="${base}/docs">Reference</a>
<a href="${base}/console">Console</a>
<a href="${base}/problems">Errors</a>
<a href="${base}/openapi.json">OpenAPI</a>
</nav>
</header>
<main>
${content}
</main>
</body>`;
}

/** Escapes a text for HTML, with text in backticks as `<code>`. */
export function toHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/`([^`]+)`/g, '<code>$1</code>');
}
