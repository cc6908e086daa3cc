import { listDrivers } from '../../directory/driver-methods.ts';
import { isAlive, WORKERS } from '../../directory/heartbeat.ts';
import { OLDEST_MAJOR, parseInfo } from '../../redis/check-redis.ts';
import {
  isCluster,
  mastersOf,
  openRedis,
  type RedisConnection,
  untilReady,
} from '../../redis/connections.ts';
import { isRightMissing } from '../../redis/failure.ts';
import { showRedisAddress } from '../../redis-address.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const SLOW_MS = 20;
const CLOCKS_APART_MS = 1_000;
const NEARLY_FULL = 0.8;
const PATIENCE_MS = 10_000;
const MIB = 1024 * 1024;

type Server = ReturnType<typeof mastersOf>[number];
type Facts = ReadonlyMap<string, string>;

/** Looks at Redis itself: its version, its settings, its state, and whether workers use it. */
export async function* examineRedis(address: string): AsyncGenerator<Finding> {
  const where = showRedisAddress(address);
  let redis: RedisConnection | undefined;
  try {
    redis = openRedis(address, 'request', () => undefined);
    await inTime(untilReady(redis));
    for (const server of mastersOf(redis))
      for await (const finding of examineServer(server))
        yield isCluster(redis) ? { ...finding, found: `${placeOf(server)}: ${finding.found}` } : finding;
    yield* examineWorkers(redis);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    yield fail(
      `Redis at ${where} cannot be asked: ${message || code}.`,
      isRightMissing(error)
        ? 'Give its user the rights that docs/deploy lists.'
        : 'Start it (`npm start` starts its own), or correct REDIS_URL: address, password and TLS.',
    );
  } finally {
    redis?.disconnect();
  }
}

function placeOf({ options: { host = '', port } }: Server): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function* examineServer(server: Server): AsyncGenerator<Finding> {
  const startedAt = Date.now();
  const [seconds, micros] = (await server.time()).map(Number);
  const tookMs = Date.now() - startedAt;
  const facts = parseInfo(await server.info());
  yield examineVersion(facts);
  yield tookMs <= SLOW_MS
    ? ok(`It answers in ${tookMs} ms.`)
    : warn(
        `It takes ${tookMs} ms to answer.`,
        'Put the processes near it: every call asks it several times.',
      );
  const apartMs = (seconds ?? 0) * 1_000 + (micros ?? 0) / 1_000 - (startedAt + tookMs / 2);
  yield examineClock(apartMs);
  if (facts.get('role') === 'slave')
    yield fail(
      'It is a replica, which takes no writes.',
      'Give the address of its master, or those of the sentinels.',
    );
  yield examinePolicy(facts);
  yield await examinePersistence(server, facts);
  yield* examineState(facts);
}

/** `apartMs` is how far the clock of Redis is ahead of this machine's. */
export function examineClock(apartMs: number): Finding {
  if (Math.abs(apartMs) <= CLOCKS_APART_MS) return ok("Its clock and this machine's agree.");
  const seconds = Math.round(Math.abs(apartMs) / 1_000);
  return warn(
    `Its clock is ${seconds} s ${apartMs > 0 ? 'ahead of' : 'behind'} this machine's.`,
    'Set both by NTP: times are those of Redis.',
  );
}

function examineVersion(facts: Facts): Finding {
  const version = facts.get('redis_version') ?? 'unknown';
  const name = facts.has('valkey_version') ? `Valkey ${facts.get('valkey_version')}` : `Redis ${version}`;
  return Number.parseInt(version, 10) >= OLDEST_MAJOR
    ? ok(`${name} is new enough.`)
    : fail(`${name} is too old.`, `Install version ${OLDEST_MAJOR} or newer.`);
}

function examinePolicy(facts: Facts): Finding {
  const policy = facts.get('maxmemory_policy') ?? 'noeviction';
  return policy === 'noeviction'
    ? ok('It drops nothing when its memory is full (maxmemory-policy noeviction).')
    : fail(
        `It drops data when its memory is full (maxmemory-policy ${policy}).`,
        'redis-cli CONFIG SET maxmemory-policy noeviction, and the same in redis.conf.',
      );
}

/** Checks whether Redis keeps its data on disk. `facts` are the values of `INFO`. */
export async function examinePersistence(server: Server, facts: Facts): Promise<Finding> {
  const mend = 'redis-cli CONFIG SET appendonly yes, and the same in redis.conf.';
  if (facts.get('aof_enabled') === '1') {
    const fsync = await findSetting(server, 'appendfsync');
    return fsync === 'no'
      ? warn(
          'It leaves it to the system when to write to disk (appendfsync no).',
          'redis-cli CONFIG SET appendfsync everysec',
        )
      : ok(`It keeps an append-only file (appendfsync ${fsync ?? 'unknown'}).`);
  }
  const snapshots = await findSetting(server, 'save');
  if (snapshots === null)
    return warn('It keeps no append-only file, and does not say whether it keeps snapshots.', mend);
  return snapshots === ''
    ? fail('It keeps nothing on disk: a restart of it loses everything.', mend)
    : warn('It keeps snapshots only: a crash of it loses what came after the last.', mend);
}

/** A setting of the server; null if `CONFIG GET` is not allowed. */
async function findSetting(server: Server, name: string): Promise<string | null> {
  const found = (await server.config('GET', name).catch(() => null)) as string[] | null;
  return found?.[1] ?? null;
}

function* examineState(facts: Facts): Generator<Finding> {
  const number = (name: string) => Number(facts.get(name) ?? 0);
  const used = Math.round(number('used_memory') / MIB);
  const max = number('maxmemory');
  if (max > 0 && number('used_memory') > NEARLY_FULL * max)
    yield warn(
      `It uses ${used} of ${Math.round(max / MIB)} MiB of memory.`,
      'Raise maxmemory, or delete what is not needed.',
    );
  else
    yield ok(
      `It uses ${used} MiB of memory${max > 0 ? `, of ${Math.round(max / MIB)}` : '; nothing bounds it but the machine'}.`,
    );
  if (number('evicted_keys') > 0)
    yield fail(
      `It has dropped ${number('evicted_keys')} keys since it started.`,
      'Set maxmemory-policy noeviction, and restore a backup.',
    );
  for (const [name, what] of [
    ['aof_last_write_status', 'the append-only file'],
    ['rdb_last_bgsave_status', 'a snapshot'],
  ] as const)
    if (facts.get(name) === 'err')
      yield fail(`It could not write ${what}.`, 'Look at its log and its disk: is that full?');
}

async function* examineWorkers(redis: RedisConnection): AsyncGenerator<Finding> {
  const drivers = await listDrivers(redis);
  yield (await isAlive(redis, WORKERS))
    ? ok(`Workers are there, for ${drivers.join(', ')}.`)
    : fail('No worker uses this Redis.', 'Start one with `npm run worker` and this REDIS_URL.');
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), PATIENCE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
