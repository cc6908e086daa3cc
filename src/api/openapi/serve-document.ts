import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { matchesEtag } from '../headers/matches-etag.ts';
import { vary } from '../headers/vary.ts';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

// The highest quality takes twenty times as long for a tenth less.
const BROTLI_QUALITY = 9;

/** The encodings a document is sent in, the best first. */
const ENCODINGS = {
  br: (body: Buffer) => toBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (body: Buffer) => toGzip(body),
  identity: async (body: Buffer) => body,
};

type Encoding = keyof typeof ENCODINGS;

/**
 * Serves a JSON document to everyone at `path`. It is made once, before the first request, since that takes long, and encoded
 * once in each encoding that is asked for. Each encoding has an ETag of its own.
 */
export function serveDocument(app: FastifyInstance, path: string, make: () => object): void {
  const encoded = new Map<Encoding, Promise<Buffer>>();
  let body: Buffer;
  let etag: string;
  app.addHook('onReady', async () => {
    body = Buffer.from(JSON.stringify(make()));
    etag = hash('sha256', body).slice(0, 32);
  });
  app.get(path, { config: { public: true }, schema: { hide: true } }, async (request, reply) => {
    const encoding = pickEncoding(request.headers['accept-encoding']);
    const ownEtag = encoding === 'identity' ? `"${etag}"` : `"${etag}-${encoding}"`;
    vary(reply, 'Accept-Encoding');
    reply.headers({
      etag: ownEtag,
      'cache-control': 'no-cache',
      'content-type': 'application/json',
    });
    if (matchesEtag(request.headers['if-none-match'], ownEtag)) return reply.code(304).send();
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    const sent = encoded.get(encoding) ?? ENCODINGS[encoding](body);
    encoded.set(encoding, sent);
    return reply.send(await sent);
  });
}

/** The best encoding that an `Accept-Encoding` header allows. */
export function pickEncoding(header: string | string[] | undefined): Encoding {
  const isAllowed = new Map<string, boolean>();
  for (const item of String(header ?? '')
    .toLowerCase()
    .split(',')) {
    const [name = '', ...params] = item.split(';').map((part) => part.trim());
    isAllowed.set(name, !params.some((param) => /^q=0(\.0*)?$/.test(param)));
  }
  const encodings = Object.keys(ENCODINGS) as Encoding[];
  return encodings.find((one) => isAllowed.get(one) ?? isAllowed.get('*')) ?? 'identity';
}
