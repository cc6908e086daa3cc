import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../../problem.ts';
import { parseJson } from '../parse-json.ts';
import type { Guard } from './guards.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Size of the body as it came; 0 where there was none. */
    bodyBytes: number;
  }
  interface FastifyContextConfig {
    /** Media types the route takes beside `application/json`. */
    accepts?: string[];
  }
}

/** The largest body a request may have. */
export const MAX_BODY_BYTES = 1024 * 1024;

const JSON_TYPE = 'application/json';
const MERGE_PATCH = 'application/merge-patch+json';
const NOTHING = Buffer.alloc(0);
const BODY_VERBS = new Set(['POST', 'PUT', 'PATCH']);

/** Reads JSON bodies: 413 past 1 MiB, 400 for what is not UTF-8 or not JSON. */
export function installJsonBody(app: FastifyInstance): void {
  app.decorateRequest('bodyBytes', 0);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser([JSON_TYPE, MERGE_PATCH], (request, _payload, done) => {
    readBody(request, (problem, bytes) => {
      if (problem !== null) return done(problem);
      request.bodyBytes = bytes.length;
      try {
        done(null, parseJson(decode(bytes)));
      } catch (error) {
        done(error as Error);
      }
    });
  });
}

/** Answers a body that is not declared as JSON with 415, before anything of it is read. */
export const mediaTypeGuard: Guard = (route) => {
  if (route === null || ![route.method].flat().some((verb) => BODY_VERBS.has(verb))) return null;
  const taken = [JSON_TYPE, ...(route.config?.accepts ?? [])];
  const refusal = { headers: { accept: taken.join(', ') } };
  return function checkMediaType(request, _reply, done) {
    const header = request.headers['content-type'];
    if (header === JSON_TYPE || !hasBody(request)) return done();
    done(
      taken.includes(mediaType(header) ?? '') ? undefined : new Problem('unsupported_media_type', refusal),
    );
  };
};

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
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    chunks.push(chunk);
    if (size <= MAX_BODY_BYTES) return;
    raw.off('data', onData).off('end', onEnd).off('error', onError);
    // The rest is read and thrown away: a client that is still sending would otherwise never see the answer.
    raw.resume();
    done(new Problem('body_too_large', { detail: `The limit is ${MAX_BODY_BYTES} bytes.` }), NOTHING);
  };
  const onEnd = () => {
    const [only = NOTHING] = chunks;
    done(null, chunks.length > 1 ? Buffer.concat(chunks, size) : only);
  };
  const onError = () => done(new Problem('bad_request', { detail: 'The body ended too early.' }), NOTHING);
  raw.on('data', onData).on('end', onEnd).on('error', onError);
}
