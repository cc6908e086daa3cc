import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Addresses that look public and are a cloud's own to each of its machines: those of Azure. */
export const CLOUD_ADDRESSES = ['168.63.129.16'];

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** What may be a webhook's target: `allowPrivate` adds http: and every address that is not on the public Internet. */
export interface TargetRules {
  allowPrivate: boolean;
  lookUp(hostname: string): Promise<LookupAddress[]>;
}

/**
 * Why a URL cannot be a webhook's target, in a sentence, or null if it can. What its name resolves to may change, so the address
 * is looked at again for every connection.
 */
export async function findTargetFault(
  text: string,
  { allowPrivate, lookUp }: TargetRules,
): Promise<string | null> {
  if (!URL.canParse(text)) return 'This is not a URL: send a whole one, such as https://example.com/updates.';
  const url = new URL(text);
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
 * Whether strangers may be sent to an IP address: not private, loopback, link-local, metadata, multicast or reserved, and none that carries
 * an IPv4 address within, which could be any of those. Of IPv6 only what is given out as global unicast is public.
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
  if (addresses === null) return 'The name of the host does not resolve.';
  const isAllowed = addresses.every(isPublicAddress);
  return isAllowed ? null : 'The URL leads to an address that is not on the public Internet.';
}

/** The addresses of a name; null where there are none. One that cannot be resolved now may be resolved when it is sent to. */
async function resolve(name: string, lookUp: TargetRules['lookUp']): Promise<string[] | null> {
  try {
    return (await lookUp(name)).map(({ address }) => address);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTFOUND' ? null : [];
  }
}
