import { VERSION } from '../../version.ts';
import type { Check, Guard } from './guards.ts';

const SERVER = `switchboard/${VERSION}`;

/** Names the version, and sets `nosniff` and `no-store`, unless the route says otherwise. */
export const responseHeadersGuard: Guard = () => setHeaders;

const setHeaders: Check = (_request, reply) => {
  reply
    .header('server', SERVER)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store');
  return undefined;
};
