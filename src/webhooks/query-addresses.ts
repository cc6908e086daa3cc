import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';

// The timeout of the first try at each name server; later tries wait twice as long.
const TRY_MS = 1_500;
const TRIES = 3;

// How long the addresses of one family wait for those of the other (RFC 8305, Resolution Delay).
const OTHER_FAMILY_MS = 50;

/** The most addresses that a host may have. Each is checked for each connection, and a name server can name thousands. */
export const ADDRESSES_MAX = 64;

/** A name has more addresses than are looked at. */
export class TooManyAddressesError extends Error {
  override name = 'TooManyAddressesError';

  constructor() {
    super(`the host has more than ${ADDRESSES_MAX} addresses`);
  }
}

/**
 * Asks name servers for the addresses of a name; by default those of the system. It takes no thread, unlike `dns.lookup`, which has four
 * for the whole process. Rejects with the code `ENOTFOUND` if the name has no address, with `TooManyAddressesError`, with the error of a
 * failure, and when `signal` aborts.
 */
export async function queryAddresses(
  name: string,
  servers: readonly string[],
  signal: AbortSignal,
): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const found: LookupAddress[] = [];
  let count = 0;
  const note = (family: 4 | 6) => (addresses: string[]) => {
    count += addresses.length;
    if (count <= ADDRESSES_MAX) found.push(...addresses.map((address) => ({ address, family })));
  };
  const asked = [resolver.resolve4(name).then(note(4)), resolver.resolve6(name).then(note(6))];
  const both = Promise.allSettled(asked);
  try {
    signal.throwIfAborted();
    await Promise.any(asked);
    await Promise.race([both, sleep(OTHER_FAMILY_MS)]);
    if (count > ADDRESSES_MAX) throw new TooManyAddressesError();
    return found.toSorted((a, b) => a.family - b.family);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof AggregateError ? decisiveOf(error.errors) : error;
  } finally {
    signal.removeEventListener('abort', cancel);
    resolver.cancel();
  }
}

/** The error if neither family has addresses: `ENOTFOUND` only if both answers say so. */
function decisiveOf(errors: NodeJS.ErrnoException[]): NodeJS.ErrnoException {
  const isMissing = ({ code }: NodeJS.ErrnoException) => code === 'ENOTFOUND' || code === 'ENODATA';
  const other = errors.find((error) => !isMissing(error));
  if (other !== undefined) return other;
  return Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' });
}
