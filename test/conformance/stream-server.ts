import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '../../src/ids.ts';
import { TestApi } from '../support/api/api.ts';
import { closingEvent, isBase64, showEvent, showPage } from './show-stream.ts';
import { type NamedStream, StreamStore, type Write, WriteRefused } from './stream-store.ts';

const NOT_FORWARDED = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding', 'date']);

/**
 * A server that speaks the whole stream protocol under `/v1/stream/<name>`. It only writes: whatever is read comes from the
 * production app over HTTP, offsets, headers, waiting and all, with its updates unwrapped to what was written.
 */
export class StreamServer {
  readonly url: string;
  private readonly server: Server;
  private readonly api: TestApi;

  private constructor(api: TestApi, server: Server) {
    this.api = api;
    this.server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<StreamServer> {
    const api = await TestApi.start({ CORS_ORIGINS: 'https://example.com' });
    const store = await StreamStore.open(api);
    const server = createServer((request, response) => {
      serve(api, store, request, response).catch((error: unknown) => {
        if (response.headersSent) return void response.destroy();
        const status = error instanceof WriteRefused ? error.status : 500;
        response.writeHead(status, {
          'content-type': 'text/plain',
          ...writeHeaders(store.find(pathOf(request))),
        });
        response.end(String(error));
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new StreamServer(api, server);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await this.api.stop();
  }
}

async function serve(
  api: TestApi,
  store: StreamStore,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, search } = new URL(request.url ?? '', 'http://localhost');
  if (request.method === 'PUT') {
    const { stream, isNew } = await store.create(pathname, await readWrite(request));
    response.writeHead(isNew ? 201 : 200, {
      ...writeHeaders(stream),
      'content-type': stream.contentType,
      location: `http://${request.headers.host}${pathname}`,
    });
    response.end();
  } else if (request.method === 'POST') {
    const stream = await store.write(pathname, await readWrite(request));
    response.writeHead(204, writeHeaders(stream)).end();
  } else if (request.method === 'DELETE') {
    response.writeHead((await store.remove(pathname)) ? 204 : 404, writeHeaders(undefined)).end();
  } else {
    await read(api, store.find(pathname), search, request, response);
  }
}

async function read(
  api: TestApi,
  stream: NamedStream | undefined,
  search: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const ask = (query: string) =>
    fetch(`${api.url}/v1/workspaces/${stream?.workspaceId ?? newId('workspace')}/updates${query}`, {
      method: request.method ?? 'GET',
      headers: { ...textHeaders(request), authorization: `Bearer ${api.rootKey}` },
      signal: gone.signal,
    });
  // A production stream has no end: at the end of a closed one there is nothing to wait for.
  const isPoll = /[?&]live=long-poll\b/.test(search);
  const isAtEnd = stream?.isClosed && /[?&]offset=(now|[\d_]+)/.exec(search)?.[1];
  if (isPoll && isAtEnd && (isAtEnd === 'now' || isAtEnd === stream.tail)) {
    const page = await ask(search.replace('live=long-poll', ''));
    response.writeHead(204, { ...shownHeaders(page), 'stream-closed': 'true' }).end();
    return;
  }
  const answer = await ask(search);
  const headers = shownHeaders(answer);
  if (stream === undefined || answer.status >= 400 || request.method === 'OPTIONS') {
    response.writeHead(answer.status, headers).end(await answer.text());
    return;
  }
  if (headers['content-type'] === 'text/event-stream' && answer.body !== null) {
    if (isBase64(stream)) headers['stream-sse-data-encoding'] = 'base64';
    response.writeHead(answer.status, headers);
    await pipeEvents(stream, answer.body, response);
    return;
  }
  const page = await answer.text();
  const isEnd = headers['stream-next-offset'] === stream.tail;
  if (answer.status !== 304) headers['content-type'] = stream.contentType;
  if (stream.isClosed && isEnd) headers['stream-closed'] = 'true';
  response.writeHead(answer.status, headers);
  response.end(answer.status === 200 && request.method === 'GET' ? showPage(stream, page) : undefined);
}

async function pipeEvents(
  stream: NamedStream,
  body: ReadableStream<Uint8Array>,
  response: ServerResponse,
): Promise<void> {
  let position = '';
  const endAtTail = () => {
    if (position === stream.tail && !response.writableEnded) response.end(closingEvent(stream));
  };
  void stream.closed.then(endAtTail);
  let text = '';
  try {
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      const events = (text + chunk).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        if (response.writableEnded) return;
        const shown = showEvent(stream, event);
        position = /^id: (.*)$/m.exec(event)?.[1] ?? position;
        response.write(shown.text);
        if (shown.isLast) return;
      }
    }
  } catch (error) {
    if (!response.destroyed) throw error;
  } finally {
    response.end();
  }
}

async function readWrite(request: IncomingMessage): Promise<Write> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return {
    body: Buffer.concat(chunks),
    contentType: request.headers['content-type'],
    sequence: textHeaders(request)['stream-seq'],
    closes: request.headers['stream-closed'] === 'true',
  };
}

function pathOf({ url = '' }: IncomingMessage): string {
  return new URL(url, 'http://localhost').pathname;
}

function writeHeaders(stream: NamedStream | undefined): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    ...(stream && { 'stream-next-offset': stream.tail }),
    ...(stream?.isClosed && { 'stream-closed': 'true' }),
  };
}

function textHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && name !== 'host' && !NOT_FORWARDED.has(name) ? [[name, value]] : [],
    ),
  );
}

function shownHeaders({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !NOT_FORWARDED.has(name)));
}
