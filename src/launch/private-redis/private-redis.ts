import { randomBytes } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../run-process.ts';
import { loadOrCreateSecret } from '../private-file.ts';
import { identifyProcess, isRunning } from '../process-identity.mjs';
import { takeLock } from '../take-lock.mjs';
import { askRedis } from './ask-redis.ts';
import { findRedisServer } from './find-redis-server.ts';
import { addressOf, findServer, type RedisLocation, startRedisChild } from './redis-child.ts';
import { endRedisServer, findRedisServerOf, isRedisServer } from './redis-process.ts';
import { findRedisRecord, writeRedisRecord } from './redis-record.ts';
import { chooseSocket, removeSocket } from './redis-socket.ts';

const SECOND = 1_000;
const WATCH_MS = 250;
const RESTART_MS = 1_000;
const SHUTDOWN_MS = 10 * SECOND;

interface Options {
  dataDir: string;
  /** Receives messages, in sentences, about slow steps and failures. */
  report?: (line: string) => void;
  /** Gives up the start, which may take minutes where there are many data. */
  signal?: AbortSignal;
}

interface Server extends RedisLocation {
  /** The identity of the server that was started or adopted last: its record may be gone. */
  identity: string | null;
}

/** A private Redis. */
export interface PrivateRedis {
  url: string;
  /** Ends the server; its data are on disk. */
  close(): Promise<void>;
}

/**
 * Starts a Redis on `dataDir`, or adopts the one that still runs there: two servers on one folder would lose data. It listens on a Unix
 * socket in a folder closed to other users, and is restarted if it dies. Throws a `LockedError` if another process has the folder.
 */
export async function startPrivateRedis({
  dataDir,
  report = () => {},
  signal = new AbortController().signal,
}: Options): Promise<PrivateRedis> {
  mkdirSync(join(dataDir, 'redis'), { recursive: true, mode: 0o700 });
  const dir = realpathSync(join(dataDir, 'redis'));
  const lock = takeLock(join(dir, 'lock'));
  try {
    const password = loadOrCreateSecret(join(dir, 'password'), () => randomBytes(24).toString('hex'));
    const record = findRedisRecord(dir);
    const server: Server = { dir, socket: chooseSocket(dir, record?.socket), password, identity: null };
    const isAdopted = await adopt(server, findRunning(dir), record?.socket === undefined, signal);
    if (!isAdopted) await launch(await findRedisServer(report, signal), server, signal);
    const stopWatching = watch(server, report);
    return {
      url: addressOf(server),
      async close() {
        await stopWatching();
        await shutDown(server);
        removeSocket(dir, server.socket);
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The identity of the server that runs in a folder: the recorded one if that is a server, otherwise one that is not recorded yet. */
function findRunning(dir: string): string | null {
  const identity = findRedisRecord(dir)?.identity ?? null;
  const isNoted =
    identity !== null && isRunning(identity) && isRedisServer(Number.parseInt(identity, 10), dir);
  return isNoted ? identity : findRedisServerOf(dir);
}

/**
 * Adopts the server that answers; false if there is none. Throws if one runs but does not answer. A server of an earlier release (`isOld`)
 * listens on a port, where any user could listen instead, so it is ended.
 */
async function adopt(
  server: Server,
  identity: string | null,
  isOld: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const { dir } = server;
  if (isOld) {
    if (identity !== null) await endRedisServer(identity, dir, SHUTDOWN_MS);
    return false;
  }
  // If its starter was killed before it recorded the server, the server may need a moment until it listens.
  const patienceMs = identity === null ? SECOND : 30 * SECOND;
  for (const startedAt = performance.now(); performance.now() - startedAt < patienceMs; await sleep(50)) {
    signal.throwIfAborted();
    const found = await findServer(server);
    if (found?.dir === dir) {
      recordServer(server, found.pid);
      return true;
    }
    if (found || (identity !== null && !isRunning(identity))) return false;
  }
  if (identity === null) return false;
  throw new StartError(
    `Process ${Number.parseInt(identity, 10)} is the Redis of ${dir}, but it does not answer.`,
  );
}

async function launch(command: string, server: Server, signal: AbortSignal): Promise<void> {
  recordServer(server, null);
  await startRedisChild(command, server, { onSpawn: (pid) => recordServer(server, pid), signal });
}

function recordServer(server: Server, pid: number | null): void {
  server.identity = pid === null ? null : identifyProcess(pid);
  const { dir, socket, identity } = server;
  writeRedisRecord(dir, { socket, identity });
}

/** Restarts the server whenever its process has ended. Returns a function that stops watching. */
function watch(server: Server, report: (line: string) => void): () => Promise<void> {
  const stopping = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {});
  /** What was said since the server ran last: it may fail to start once a second, for hours. */
  const said = new Set<string>();
  const say = (line: string) => {
    if (!said.has(line) && !stopping.signal.aborted) report(line);
    said.add(line);
  };
  const watching = (async () => {
    for (; !stopping.signal.aborted; await pause(WATCH_MS)) {
      if (isServerRunning(server)) continue;
      try {
        // It may run although its process could not be looked up, as with too many open files or no `ps`.
        const found = await findServer(server);
        if (found?.dir === server.dir) {
          // Without an identity the record would say less than the one that is there.
          if (identifyProcess(found.pid) !== null) recordServer(server, found.pid);
          said.clear();
          await pause(RESTART_MS);
          continue;
        }
        say('The private Redis has ended; starting it again.');
        await launch(await findRedisServer(report, stopping.signal), server, stopping.signal);
        said.clear();
      } catch (error) {
        say((error as Error).message);
        await pause(RESTART_MS);
      }
    }
  })();
  return async () => {
    stopping.abort();
    await watching;
  };
}

function isServerRunning(server: Server): boolean {
  const identity = identityOf(server);
  return identity !== null && isRunning(identity);
}

/** By its record, or, if that is gone with the folder, what this process knows. */
function identityOf({ dir, identity }: Server): string | null {
  return findRedisRecord(dir)?.identity ?? identity;
}

/** Ends the server, by force if it takes too long. That loses nothing: its writes have been handed to the operating system. */
async function shutDown(server: Server): Promise<void> {
  const identity = identityOf(server);
  // Redis answers by closing the connection.
  await askRedis(addressOf(server), (redis) => redis.shutdown()).catch(() => {});
  if (identity) await endRedisServer(identity, server.dir, SHUTDOWN_MS);
}
