import { randomBytes } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../run-process.ts';
import { askRedis } from './ask-redis.ts';
import { findFreePort } from './find-free-port.ts';
import { findRedisServer } from './find-redis-server.ts';
import { keepSecret } from './private-file.ts';
import { identifyProcess, isRunning } from './process-identity.mjs';
import { addressOf, findServer, type RedisPlace, startRedisChild } from './redis-child.ts';
import { findRedisRecord, type RedisRecord, writeRedisRecord } from './redis-record.ts';
import { takeLock } from './take-lock.mjs';

const SECOND = 1_000;
const WATCH_MS = 250;
const RESTART_MS = 1_000;
const SHUTDOWN_MS = 10 * SECOND;

interface Options {
  dataDir: string;
  /** Hears, in sentences, of what takes long or went wrong. */
  report?: (line: string) => void;
}

/** A Redis of our own. */
export interface PrivateRedis {
  url: string;
  /** Ends the server; its data are on disk. */
  close(): Promise<void>;
}

/**
 * Starts a Redis on `dataDir`, or adopts the one that still runs there from before: two servers on one folder would lose data.
 * It is restarted if it dies. Throws a `LockedError` if another process has the folder.
 */
export async function startPrivateRedis({ dataDir, report = () => {} }: Options): Promise<PrivateRedis> {
  mkdirSync(join(dataDir, 'redis'), { recursive: true, mode: 0o700 });
  const dir = realpathSync(join(dataDir, 'redis'));
  const lock = takeLock(join(dir, 'lock'));
  try {
    const password = keepSecret(join(dir, 'password'), () => randomBytes(24).toString('hex'));
    const record = findRedisRecord(dir);
    const adopted = record && (await adopt({ dir, port: record.port, password }, record));
    const place = adopted ?? (await start(dir, record?.port, password, report));
    const stopWatching = watch(place, report);
    return {
      url: addressOf(place),
      async close() {
        await stopWatching();
        await shutDown(place);
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The place of the server that the record tells of, null if it runs no more; throws if it runs but does not answer. */
async function adopt(place: RedisPlace, { identity }: RedisRecord): Promise<RedisPlace | null> {
  // A server whose starter was killed before it knew the process may need a moment before it listens.
  const patienceMs = identity === null ? SECOND : 30 * SECOND;
  for (const startedAt = Date.now(); Date.now() - startedAt < patienceMs; await sleep(50)) {
    const found = await findServer(place);
    if (found?.dir === place.dir) {
      writeRedisRecord(place.dir, {
        port: place.port,
        identity: identifyProcess(found.pid),
      });
      return place;
    }
    // Another folder's server: this folder is a copy, or the port went to someone else.
    if (found || (identity !== null && !isRunning(identity))) return null;
  }
  if (identity === null) return null;
  throw new StartError(
    `Process ${Number.parseInt(identity, 10)} is the Redis of ${place.dir}, but it does not answer.`,
  );
}

/** Starts a server, on the port it had before if that is free, so that whoever still knows that address finds it. */
async function start(
  dir: string,
  lastPort: number | undefined,
  password: string,
  report: (line: string) => void,
): Promise<RedisPlace> {
  const server = await findRedisServer(report);
  for (let port = lastPort ?? (await findFreePort()); ; port = await findFreePort()) {
    if (await launch(server, { dir, port, password })) return { dir, port, password };
  }
}

async function launch(server: string, place: RedisPlace): Promise<boolean> {
  const { dir, port } = place;
  writeRedisRecord(dir, { port, identity: null });
  const pid = await startRedisChild(server, place, (child) =>
    writeRedisRecord(dir, { port, identity: identifyProcess(child) }),
  );
  return pid !== null;
}

/** Restarts the server whenever its process has ended. Gives the function that stops watching. */
function watch(place: RedisPlace, report: (line: string) => void): () => Promise<void> {
  const stopping = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {});
  const watching = (async () => {
    for (; !stopping.signal.aborted; await pause(WATCH_MS)) {
      if (isServerRunning(place.dir)) continue;
      report('The private Redis has ended; starting it again.');
      const isUp = await launch(await findRedisServer(report), place).catch((error) => report(error.message));
      if (!isUp) await pause(RESTART_MS);
    }
  })();
  return async () => {
    stopping.abort();
    await watching;
  };
}

function isServerRunning(dir: string): boolean {
  const identity = findRedisRecord(dir)?.identity;
  return Boolean(identity && isRunning(identity));
}

/** Ends the server; one that does not end by itself in time is killed, which costs nothing: its writes are with the system. */
async function shutDown(place: RedisPlace): Promise<void> {
  const identity = findRedisRecord(place.dir)?.identity;
  // Redis answers by closing the connection.
  await askRedis(addressOf(place), (redis) => redis.shutdown()).catch(() => {});
  for (const startedAt = Date.now(); identity && isRunning(identity); await sleep(10)) {
    if (Date.now() - startedAt > SHUTDOWN_MS) process.kill(Number.parseInt(identity, 10), 'SIGKILL');
  }
}
