import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '../../src/webhooks/target.ts';

/** A connection was refused because its address is not on the public Internet. */
export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError';
}

/**
 * Throws `PrivateAddressError` if the host of a URL is an address that is not on the public Internet; names are checked when they are
 * resolved.
 */
export function refusePrivateHost({ hostname }: URL): void {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw new PrivateAddressError();
}

/**
 * Resolves names for connections; fails with `PrivateAddressError` if an address is not on the public Internet, unless those are allowed.
 */
export function openLookup(
  lookUp: (hostname: string) => Promise<LookupAddress[]>,
  { allowPrivate }: { allowPrivate: boolean },
): LookupFunction {
  return (hostname, { all, family: wanted }, done) => {
    const family = wanted === 'IPv4' ? 4 : wanted === 'IPv6' ? 6 : (wanted ?? 0);
    lookUp(hostname).then(
      (found) => {
        if (!allowPrivate && !found.every(({ address }) => isPublicAddress(address)))
          return done(new PrivateAddressError(), '');
        const fitting = found.filter((each) => family === 0 || each.family === family);
        const [first] = fitting;
        if (first === undefined) done(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '');
        else if (all) done(null, fitting);
        else done(null, first.address, first.family);
      },
      (error) => done(error, ''),
    );
  };
}
