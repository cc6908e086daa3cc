import { StartError } from '../run-process.ts';
import { askRedis } from './ask-redis.ts';

const OLDEST_MAJOR = 7;

/** Resolves if a Redis that Switchboard can use answers at `url`; else throws the sentence that says why not. */
export async function checkRedis(url: string): Promise<void> {
  const where = `Redis at ${hideSecrets(url)}`;
  const info = await askRedis(url, (redis) => redis.info('server')).catch((error: Error) => {
    throw new StartError(`${where} cannot be reached: ${describe(error)}.`);
  });
  // Valkey states here which Redis it is compatible with.
  const version = info.match(/redis_version:(\S+)/)?.[1] ?? '0';
  if (Number.parseInt(version, 10) >= OLDEST_MAJOR) return;
  throw new StartError(`${where} is version ${version}; Switchboard needs ${OLDEST_MAJOR} or newer.`);
}

/** An address that may be shown. */
export function hideSecrets(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

/** Several addresses tried in vain make an error without a message of its own. */
function describe(error: Error & { code?: string }): string {
  return error.message || error.code || error.name;
}
