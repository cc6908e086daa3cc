import { VERSION } from '../../version.ts';
import type { Guard, RequestCheck } from './guards.ts';

/** The header `Server` of every answer. */
export const SERVER = `switchboard/${VERSION}`;

/** Names the version, and sets `nosniff` and `no-store`, unless the route says otherwise. */
export const responseHeadersGuard: Guard = () => setHeaders;

const setHeaders: RequestCheck = (_request, reply) => {
  reply
    .header('server', SERVER)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store');
  return undefined;
};
