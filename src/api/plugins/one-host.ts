import { Problem } from '../../problem.ts';
import type { Guard, RequestCheck } from './guards.ts';

/**
 * Refuses requests with several `Host` headers, as a proxy in front may have used another header than this server, and requests of HTTP/1.1
 * with none.
 */
export const oneHostGuard: Guard = () => checkHost;

const checkHost: RequestCheck = ({ raw: { rawHeaders, httpVersion } }) => {
  let hosts = 0;
  // Names and values alternate.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  const isRefused = hosts > 1 || (hosts === 0 && httpVersion === '1.1');
  return isRefused ? new Problem('bad_request', { detail: 'Send one Host header.' }) : undefined;
};
