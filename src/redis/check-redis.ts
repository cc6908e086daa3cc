import { setTimeout as sleep } from 'node:timers/promises';
import { showRedisAddress } from '../redis-address.ts';
import { StartError } from '../run-process.ts';
import { mastersOf, type RedisConnection, untilReady } from './connections.ts';
import { isRedisUnavailable, isRightMissing } from './failure.ts';

/** The oldest version of Redis that Switchboard works with. */
export const OLDEST_MAJOR = 7;
// A failover in progress ends within this time.
const REPLICA_PATIENCE_MS = 10_000;
const REPLICA_POLL_MS = 250;

type Server = ReturnType<typeof mastersOf>[number];

/**
 * Checks that Switchboard can work with the Redis behind a connection. Throws a `StartError` if it cannot, and calls `warn` if the
 * Redis keeps nothing on disk.
 */
export async function checkRedis(
  redis: RedisConnection,
  address: string,
  warn: (message: string) => void,
): Promise<void> {
  const where = `Redis at ${showRedisAddress(address)}`;
  try {
    await untilReady(redis);
    const durable = await Promise.all(mastersOf(redis).map((server) => checkServer(server, where)));
    if (durable.includes(false))
      warn(
        `${where} keeps nothing on disk (no append-only file, no snapshots): a restart of it loses everything`,
      );
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (isRightMissing(error)) throw rightMissing(where, error as Error);
    throw new StartError(
      `${where} cannot be reached: ${describe(error as Error)}; start it, or correct REDIS_URL.`,
    );
  }
}

/** Starts something that needs Redis. Throws a `StartError` if Redis becomes unavailable meanwhile, or does not allow what is needed. */
export async function startWithRedis<Started>(start: () => Promise<Started>): Promise<Started> {
  try {
    return await start();
  } catch (error) {
    if (isRightMissing(error)) throw rightMissing('Redis', error as Error);
    if (!isRedisUnavailable(error)) throw error;
    throw new StartError(`Redis was lost during the start: ${describe(error as Error)}.`);
  }
}

/** Returns whether the server keeps anything on disk. */
async function checkServer(server: Server, where: string): Promise<boolean> {
  const info = await infoOfMaster(server, where);
  // For Valkey, this is the Redis version it is compatible with.
  const version = info.get('redis_version') ?? '0';
  if (Number.parseInt(version, 10) < OLDEST_MAJOR)
    throw new StartError(`${where} is version ${version}; Switchboard needs ${OLDEST_MAJOR} or newer.`);
  const policy = info.get('maxmemory_policy') ?? 'noeviction';
  if (policy !== 'noeviction') {
    throw new StartError(
      `${where} would drop data when its memory is full (maxmemory-policy ${policy}); Switchboard needs noeviction.`,
    );
  }
  return info.get('aof_enabled') !== '0' || (await findSnapshots(server)) !== '';
}

async function infoOfMaster(server: Server, where: string): Promise<Map<string, string>> {
  for (const until = performance.now() + REPLICA_PATIENCE_MS; ; await sleep(REPLICA_POLL_MS)) {
    const info = parseInfo(await server.info());
    if (info.get('role') !== 'slave') return info;
    if (performance.now() > until)
      throw new StartError(`${where} is a replica, which takes no writes; Switchboard needs its master.`);
  }
}

/** The snapshot schedule, '' for none; null if `CONFIG GET` is not allowed. */
async function findSnapshots(server: Server): Promise<string | null> {
  const found = (await server.config('GET', 'save').catch(() => null)) as string[] | null;
  return found?.[1] ?? null;
}

/** The values of `INFO`, by name. */
export function parseInfo(text: string): Map<string, string> {
  return new Map([...text.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name = '', value = '']) => [name, value]));
}

function rightMissing(where: string, { message }: Error): StartError {
  return new StartError(
    `${where} does not let its user do what Switchboard needs: ${message}; docs/deploy says which rights to give.`,
  );
}

/** An error for several unreachable addresses has no message. */
function describe(error: Error & { code?: string }): string {
  return error.message || error.code || error.name;
}
