import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../../problem.ts';
import type { HeldBytes } from '../server/byte-shares.ts';
import { LARGE_BODY_BYTES, largeBodies } from '../server/paced-tasks.ts';
import { parseJson, VALUES_MAX } from '../server/parse-json.ts';
import { BodyReader, holderOf, MAX_BODY_BYTES, tooLarge } from '../server/read-body.ts';
import type { Guard } from './guards.ts';
import type { Readmit } from './principal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Size of the body; 0 without one. */
    bodyBytes: number;
    /** The options of the route: Fastify makes an object each time it is asked for them. */
    valuesMax: number;
    releasesBody: boolean;
    /** The share of a large body, where its route releases it. */
    heldBody: HeldBytes | null;
  }
  interface FastifyContextConfig {
    /** Media types that the route accepts besides `application/json`. */
    accepts?: string[];
    /** The most values in a body, if not `VALUES_MAX`. */
    valuesMax?: number;
    /** Whether a body counts until the route releases it, because the route still has to check its values. */
    releasesBody?: boolean;
  }
}

type Done = (error: Error | null, body?: unknown) => void;

const JSON_TYPE = 'application/json';
const MERGE_PATCH = 'application/merge-patch+json';
const BODY_VERBS = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Reads JSON bodies: 413 above 1 MiB or for too many values, 400 unless UTF-8 and JSON, 503 when too many are read at once. An empty body
 * counts as none, whatever its media type: some clients declare one without sending a body. What was checked before the body came is checked
 * again with `readmit`.
 */
export function installJsonBody(app: FastifyInstance, readmit: Readmit): void {
  app.decorateRequest('bodyBytes', 0);
  app.decorateRequest('valuesMax', VALUES_MAX);
  app.decorateRequest('releasesBody', false);
  app.decorateRequest('heldBody', null);
  app.removeAllContentTypeParsers();
  const bodies = new BodyReader();
  app.addContentTypeParser([JSON_TYPE, MERGE_PATCH], (request, _payload, taken) => {
    const done = request.raw.complete ? taken : readmitting(readmit, request, taken);
    bodies.read(request, (problem, bytes, held) => {
      if (problem !== null) return done(problem);
      request.bodyBytes = bytes.length;
      if (bytes.length === 0) done(null, undefined);
      else if (bytes.length < LARGE_BODY_BYTES) parse(request, bytes, held, done);
      else parseInTurn(request, bytes, held, done);
    });
  });
  app.addContentTypeParser('*', (request, _payload, done) => {
    done(hasBody(request) ? new Problem('unsupported_media_type') : null);
  });
}

function readmitting(readmit: Readmit, request: FastifyRequest, done: Done): Done {
  const since = performance.now();
  return (error, body) => {
    const checking = error === null ? readmit(request, since) : undefined;
    if (checking === undefined) return done(error, body);
    const refuse = (refusal: Error) => {
      request.heldBody?.release();
      done(refusal);
    };
    checking.then(() => done(null, body), refuse);
  };
}

function parse(request: FastifyRequest, bytes: Buffer, held: HeldBytes | null, done: Done): void {
  const { valuesMax, releasesBody } = request;
  let body: unknown;
  try {
    body = parseJson(decode(bytes), valuesMax);
    if (releasesBody) request.heldBody = held;
  } catch (error) {
    done(error as Error);
    return;
  } finally {
    if (request.heldBody === null) held?.release();
  }
  done(null, body);
}

function parseInTurn(request: FastifyRequest, bytes: Buffer, held: HeldBytes | null, done: Done): void {
  largeBodies.add(holderOf(request), () => {
    if (!request.raw.socket.destroyed) return parse(request, bytes, held, done);
    held?.release();
    done(new Problem('canceled'));
  });
}

/** Answers 413 by the declared length, before the body is read, and notes the options of the route. */
export const bodySizeGuard: Guard = (route) => {
  const { valuesMax = VALUES_MAX, releasesBody = false } = route?.config ?? {};
  return (request) => {
    request.valuesMax = valuesMax;
    request.releasesBody = releasesBody;
    const length = request.headers['content-length'];
    return length !== undefined && Number(length) > MAX_BODY_BYTES ? tooLarge() : undefined;
  };
};

/** Answers 415 unless the body is declared as uncompressed JSON, before it is read. */
export const mediaTypeGuard: Guard = (route) => {
  if (route === null || ![route.method].flat().some((verb) => BODY_VERBS.has(verb))) return null;
  const taken = [JSON_TYPE, ...(route.config?.accepts ?? [])];
  const refusal = { headers: { accept: taken.join(', ') } };
  return (request) => {
    const { 'content-type': header, 'content-encoding': encoding } = request.headers;
    if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity' && hasBody(request))
      return encoded();
    if (header === JSON_TYPE) return undefined;
    if (!hasBody(request)) {
      // Fastify would refuse one that is malformed or empty.
      request.headers['content-type'] = undefined;
      return undefined;
    }
    return taken.includes(mediaType(header) ?? '')
      ? undefined
      : new Problem('unsupported_media_type', refusal);
  };
};

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The media type without parameters; null for a charset other than UTF-8. */
function mediaType(header: string | undefined): string | null {
  const [type = '', ...parameters] = (header ?? '').toLowerCase().split(';');
  const foreign = parameters.some(
    (parameter) => /^\s*charset\s*=/.test(parameter) && !/=\s*"?utf-?8"?\s*$/.test(parameter),
  );
  return foreign ? null : type.trim();
}

function encoded(): Problem {
  const detail = 'Send the body as it is, without Content-Encoding: compressed bodies are not read.';
  return new Problem('unsupported_media_type', { detail, headers: { 'accept-encoding': 'identity' } });
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Problem('invalid_json', { detail: 'The body is not UTF-8.' });
  const text = bytes.toString('utf8');
  // A byte order mark is not JSON, but some tools write one.
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
