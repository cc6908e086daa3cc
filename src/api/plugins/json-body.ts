import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../../problem.ts';
import { parseJson } from '../parse-json.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Media types the route takes beside `application/json`. */
    accepts?: string[];
  }
}

/** The largest body a request may have. */
export const MAX_BODY_BYTES = 1024 * 1024;

const MERGE_PATCH = 'application/merge-patch+json';
const BODY_VERBS = new Set(['POST', 'PUT', 'PATCH']);

/** Reads JSON bodies: 415 before anything of the body is read, 413 past 1 MiB, 400 for what is not UTF-8 or not JSON. */
export function installJsonBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(['application/json', MERGE_PATCH], (request, _payload, done) => {
    readBody(request, (problem, bytes) => {
      if (problem !== null) return done(problem);
      try {
        done(null, parseJson(decode(bytes)));
      } catch (error) {
        done(error as Error);
      }
    });
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (!BODY_VERBS.has(request.method) || !hasBody(request)) return done();
    const header = request.headers['content-type'];
    if (header === 'application/json') return done();
    const given = mediaType(header);
    const taken = ['application/json', ...(request.routeOptions.config.accepts ?? [])];
    if (given !== null && taken.includes(given)) return done();
    done(
      new Problem('unsupported_media_type', {
        headers: { accept: taken.join(', ') },
      }),
    );
  });
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The media type without its parameters, or null where a charset other than UTF-8 is named. */
function mediaType(header: string | undefined): string | null {
  const [type = '', ...parameters] = (header ?? '').toLowerCase().split(';');
  const foreign = parameters.some(
    (parameter) => /^\s*charset\s*=/.test(parameter) && !/=\s*"?utf-?8"?\s*$/.test(parameter),
  );
  return foreign ? null : type.trim();
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Problem('invalid_json', { detail: 'The body is not UTF-8.' });
  const text = bytes.toString('utf8');
  // A byte order mark is no part of JSON, but some tools write one.
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function readBody(request: FastifyRequest, done: (problem: Problem | null, bytes: Buffer) => void): void {
  const { raw } = request;
  const chunks: Buffer[] = [];
  let size = 0;
  const settle = (problem: Problem | null) => {
    raw.off('data', onData).off('end', onEnd).off('error', onError);
    done(problem, Buffer.concat(chunks, problem === null ? size : 0));
  };
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) {
      // The rest is read and thrown away: a client that is still sending would otherwise never see the answer.
      raw.resume();
      settle(
        new Problem('body_too_large', {
          detail: `The limit is ${MAX_BODY_BYTES} bytes.`,
        }),
      );
      return;
    }
    chunks.push(chunk);
  };
  const onEnd = () => settle(null);
  const onError = () => settle(new Problem('bad_request', { detail: 'The body ended too early.' }));
  raw.on('data', onData).on('end', onEnd).on('error', onError);
}
