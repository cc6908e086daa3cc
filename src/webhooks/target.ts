import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseUrl } from '../parse-url.ts';
import { URL_MAX } from './bounds.ts';
import { ADDRESSES_MAX, TooManyAddressesError } from './query-addresses.ts';

/** Addresses that look public, but belong to a cloud's own services on each machine: those of Azure. */
export const CLOUD_ADDRESSES = ['168.63.129.16'];

/**
 * Why a host cannot be a target. The same for a name without addresses, or with too many: the difference would tell which names there are in
 * the service's own network.
 */
export const HOST_FAULT = `host has no address, one that is not public, or more than ${ADDRESSES_MAX}`;
const NOT_PUBLIC = `The URL does not lead to the public Internet: its ${HOST_FAULT}.`;

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** The rules for targets of webhooks: `allowPrivate` also allows http: and addresses that are not on the public Internet. */
export interface TargetRules {
  allowPrivate: boolean;
  lookUp(hostname: string): Promise<LookupAddress[]>;
}

/**
 * A sentence that says why a URL cannot be a webhook's target, or null if it can. Its name may resolve to another address later, so the
 * address is checked again for every connection.
 */
export async function findTargetFault(
  text: string,
  { allowPrivate, lookUp }: TargetRules,
): Promise<string | null> {
  const url = parseUrl(text, URL_MAX);
  if (url === null) return 'This is not a URL: send a whole one, such as https://example.com/updates.';
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    return allowPrivate
      ? 'The URL has to be https: or http:.'
      : 'The URL has to be https:. For development, WEBHOOKS_ALLOW_PRIVATE=1 lets the service take http: too.';
  }
  if (url.username !== '' || url.password !== '') return 'The URL must not carry a user name or a password.';
  if (url.port === '0') return 'The URL has port 0, which nothing can listen on.';
  if (url.hash !== '') return 'The URL must not have a fragment: it would not be sent.';
  return allowPrivate ? null : await findAddressFault(url.hostname, lookUp);
}

/**
 * Whether an IP address is public: not private, loopback, link-local, metadata, multicast or reserved, and not one with an embedded IPv4
 * address, which could be any of these. Of IPv6, only allocated global unicast addresses are public.
 */
export function isPublicAddress(address: string): boolean {
  // A zone names an interface of this machine.
  if (address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST)) return false;
  return parsed.range() === 'unicast' && !CLOUD_ADDRESSES.includes(parsed.toString());
}

async function findAddressFault(hostname: string, lookUp: TargetRules['lookUp']): Promise<string | null> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = isIP(literal) ? [literal] : await resolve(literal, lookUp);
  return addresses?.every(isPublicAddress) ? null : NOT_PUBLIC;
}

/** The addresses of a name; null if it has none, or too many. A name that cannot be resolved now may be resolved when a delivery is sent. */
async function resolve(name: string, lookUp: TargetRules['lookUp']): Promise<string[] | null> {
  try {
    return (await lookUp(name)).map(({ address }) => address);
  } catch (error) {
    return isWithoutAddress(error) ? null : [];
  }
}

/** Whether the look-up of a name has failed because the name has no address, or too many. */
export function isWithoutAddress(error: unknown): boolean {
  return error instanceof TooManyAddressesError || (error as NodeJS.ErrnoException).code === 'ENOTFOUND';
}
