import type { FastifyRequest } from 'fastify';
import { Problem } from '../../problem.ts';
import { stopParsing } from '../server/pipelines.ts';
import type { Guard } from './guards.ts';

/**
 * Refuses requests that a proxy in front may have read in another way than this server: with several `Host` or `Authorization` headers, of
 * HTTP/1.1 without `Host`, or with another transfer coding than `chunked`.
 */
export const oneReadingGuard: Guard = () => checkReading;

/** The check of `oneReadingGuard`, for requests that no guard sees. */
export function checkReading({
  headers,
  raw: { rawHeaders, httpVersion, socket },
}: FastifyRequest): Problem | undefined {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
    // Otherwise the requests behind it would begin before the connection is closed.
    stopParsing(socket);
    return encoded();
  }
  let hosts = 0;
  let credentials = 0;
  // Names and values alternate.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') credentials += 1;
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return unlessOnce('Host');
  return credentials > 1 ? unlessOnce('Authorization') : undefined;
}

function unlessOnce(name: string): Problem {
  return new Problem('bad_request', { detail: `Send one ${name} header.` });
}

// Nothing that follows on the connection is read: the proxy may see the end of the body elsewhere.
function encoded(): Problem {
  return new Problem('bad_request', {
    detail: 'Send the body as it is: no Transfer-Encoding but `chunked` alone is read.',
    headers: { connection: 'close' },
  });
}
