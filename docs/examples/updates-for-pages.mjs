// @ts-check
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { readEnvironment } from './environment.mjs';

const { API, KEY, WS } = readEnvironment(['API', 'KEY', 'WS']);
const { PAGE_PORT = '8081' } = process.env;

// An EventSource sends no Authorization header, and a page must not have the key: this server adds it.
createServer(async (request, response) => {
  if (request.url !== '/updates') {
    const page = await readFile(new URL('updates.html', import.meta.url));
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    return;
  }
  const abort = new AbortController();
  response.on('close', () => abort.abort());
  try {
    const offset = encodeURIComponent(String(request.headers['last-event-id'] ?? 'now'));
    const updates = await fetch(`${API}/v1/workspaces/${WS}/updates?live=sse&offset=${offset}`, {
      headers: { authorization: `Bearer ${KEY}` },
      signal: abort.signal,
    });
    response.writeHead(updates.status, { 'content-type': updates.headers.get('content-type') ?? '' });
    // @ts-expect-error: the stream of fetch is typed as that of browsers
    Readable.fromWeb(updates.body)
      .on('error', () => response.destroy())
      .pipe(response);
  } catch {
    response.destroy(); // the page asks again
  }
}).listen(Number(PAGE_PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${PAGE_PORT}`));
