import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../problem.ts';
import { stopParsing } from '../server/pipelines.ts';
import type { Guard } from './guards.ts';

/**
 * Refuses requests that a proxy in front may have read in another way than this server: with several `Host` or `Authorization` headers, of
 * HTTP/1.1 without `Host`, or with another transfer coding than `chunked`.
 */
export const oneReadingGuard: Guard = () => checkReading;

/** The check of `oneReadingGuard`, for requests that no guard sees. Nothing behind such a request is read from its connection. */
export function checkReading({ headers, raw }: FastifyRequest): Problem | undefined {
  const detail = isEncoded(headers['transfer-encoding'])
    ? 'Send the body as it is: no Transfer-Encoding but `chunked` alone is read.'
    : checkOnce(raw);
  if (detail === undefined) return undefined;
  // The proxy may see the end of the request elsewhere. Otherwise what is behind it would begin before the connection is closed.
  stopParsing(raw.socket);
  return new Problem('bad_request', { detail, headers: { connection: 'close' } });
}

function isEncoded(coding: string | undefined): boolean {
  return coding !== undefined && coding.trim().toLowerCase() !== 'chunked';
}

function checkOnce({ rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  let hosts = 0;
  let credentials = 0;
  // Names and values alternate.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') credentials += 1;
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return 'Send one Host header.';
  return credentials > 1 ? 'Send one Authorization header.' : undefined;
}
