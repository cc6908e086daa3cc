import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '../../src/webhooks/target.ts';

/** A connection that was not made, because it would have led off the public Internet. */
export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError';
}

/** Throws `PrivateAddressError` for the host of a URL that is an address off the public Internet; names are looked at as they resolve. */
export function refusePrivateHost({ hostname }: URL): void {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw new PrivateAddressError();
}

/** Resolves names as `dns.lookup` does; fails with `PrivateAddressError` where an address is off the public Internet. */
export const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, options, (error, found, family) => {
    const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
    if (error === null && !addresses.every(isPublicAddress)) done(new PrivateAddressError(), '');
    else done(error, found, family);
  });
};
