import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../eventually.ts';

/** A span as it was exported; times in ms since the epoch. */
export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  traceState: string;
  name: string;
  kind: number;
  start: number;
  end: number;
  attributes: Record<string, unknown>;
  links: string[];
  /** Of its process. */
  resource: Record<string, unknown>;
}

interface OtlpAttribute {
  key: string;
  value: Record<string, unknown>;
}

interface OtlpSpan extends Record<'traceId' | 'spanId' | 'name', string> {
  parentSpanId?: string;
  traceState?: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: OtlpAttribute[];
  links?: { spanId: string }[];
}

/** A collector of traces: takes OTLP over HTTP as JSON, and keeps the bytes of every export. */
export class Collector {
  readonly url: string;
  readonly spans: Span[] = [];
  /** Bodies and headers as they came. */
  readonly exports: { body: string; type: string | undefined; key: string | undefined }[] = [];
  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(port = 0): Promise<Collector> {
    let collector: Collector | undefined;
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { 'content-type': type, 'x-key': key } = request.headers;
      collector?.take(Buffer.concat(chunks).toString('latin1'), type, key as string | undefined);
      response.writeHead(200, { 'content-type': type ?? '' }).end(type === 'application/json' ? '{}' : '');
    });
    await new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', resolve);
    });
    collector = new Collector(server);
    return collector;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** The spans of a trace so far, by their begin. */
  trace(traceId: string): Span[] {
    return this.spans.filter((span) => span.traceId === traceId).sort((a, b) => a.start - b.start);
  }

  /** The spans of a trace, once those of these names are there. */
  async untilTrace(traceId: string, names: string[]): Promise<Span[]> {
    const have = () => this.trace(traceId).map(({ name }) => name);
    await eventually(() => names.every((name) => have().includes(name)), { timeoutMs: 30_000 }).catch(() => {
      throw new Error(`of ${names.join(', ')} there are ${have().join(', ')}`);
    });
    return this.trace(traceId);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(body: string, type: string | undefined, key: string | undefined): void {
    this.exports.push({ body, type, key });
    if (type !== 'application/json') return;
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans)
      for (const { spans } of scopeSpans)
        for (const span of spans) this.spans.push(toSpan(span, plain(resource.attributes)));
  }
}

function toSpan(span: OtlpSpan, resource: Record<string, unknown>): Span {
  const { traceId, spanId, parentSpanId = '', traceState = '', name, kind, links = [] } = span;
  return {
    ...{ traceId, spanId, parentSpanId, traceState, name, kind, resource },
    start: Number(BigInt(span.startTimeUnixNano) / 1_000n) / 1_000,
    end: Number(BigInt(span.endTimeUnixNano) / 1_000n) / 1_000,
    attributes: plain(span.attributes ?? []),
    links: links.map((link) => link.spanId),
  };
}

function plain(attributes: OtlpAttribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
