import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../run-process.ts';
import { findFileText } from '../private-file.ts';
import { askRedis } from './ask-redis.ts';

// A server that loads its data ends at once.
const END_MS = 5_000;
const LOG_BYTES_MAX = 1024 * 1024;
// Process, role, time and level.
const LOG_PREFIX = /^\d+:[A-Z] \d+ \w+ \d+ [\d:.]+ \S /;

/** A Redis server on a data folder of its own. */
export interface RedisLocation {
  dir: string;
  /** The Unix socket it listens on, and on nothing else. */
  socket: string;
  password: string;
}

/** The address of a server. */
export function addressOf({ socket, password }: RedisLocation): string {
  return `redis+unix://:${password}@${socket.split('/').map(encodeURIComponent).join('/')}`;
}

/** The pid and the folder of the server that answers, or null. */
export function findServer(location: RedisLocation): Promise<{ pid: number; dir: string } | null> {
  return askRedis(addressOf(location), async (redis) => {
    const [, dir = ''] = (await redis.config('GET', 'dir')) as string[];
    const info = await redis.info('server');
    return { pid: Number(info.match(/process_id:(\d+)/)?.[1]), dir };
  }).catch(() => null);
}

/**
 * Starts a server and resolves once it has loaded its data. The server has a process group of its own: neither Ctrl-C nor the end of this
 * process ends it. `onSpawn` is called with its pid at once. When `signal` aborts meanwhile, ends the server and rejects with its reason.
 */
export async function startRedisChild(
  server: string,
  location: RedisLocation,
  { onSpawn, signal }: { onSpawn: (pid: number) => void; signal: AbortSignal },
): Promise<void> {
  const logFile = join(location.dir, 'redis.log');
  // What is there tells why the server before has ended.
  if (existsSync(logFile) && statSync(logFile).size > LOG_BYTES_MAX) renameSync(logFile, `${logFile}.1`);
  const log = openSync(logFile, 'a', 0o600);
  // Settings are passed on standard input: every user of the machine can read arguments, and so the password.
  const child = spawn(server, ['-'], {
    // Identifies the server from the start.
    cwd: location.dir,
    detached: true,
    stdio: ['pipe', log, log],
  });
  closeSync(log);
  let failure: string | null = null;
  child.once('error', (error) => {
    failure = error.message;
  });
  // It may end at any time, long after its log was removed.
  child.once('exit', () => {
    failure ??= '';
  });
  child.stdin?.on('error', () => {});
  child.stdin?.end(settingsOf(location));
  child.unref();
  if (child.pid !== undefined) onSpawn(child.pid);

  // Without a timeout: loading a large append-only file takes minutes.
  while (failure === null) {
    const found = await findServer(location);
    if (found?.dir === location.dir) return;
    if (signal.aborted) {
      await endChild(child);
      throw signal.reason;
    }
    await sleep(20);
  }
  const said = lastLine(failure || (findFileText(logFile) ?? 'nothing')).replace(LOG_PREFIX, '');
  throw new StartError(`The private Redis does not start on ${location.dir}; it says: ${said}`);
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const overdue = setTimeout(() => child.kill('SIGKILL'), END_MS);
  child.kill('SIGTERM');
  await once(child, 'exit');
  clearTimeout(overdue);
}

function settingsOf({ dir, socket, password }: RedisLocation): string {
  return [
    // On a port, another local user could listen while the server is down, and would be sent the password.
    'port 0',
    `unixsocket ${JSON.stringify(socket)}`,
    'unixsocketperm 700',
    `requirepass ${password}`,
    `dir ${JSON.stringify(dir)}`,
    'appendonly yes',
    'appendfsync everysec',
    // The append-only file is enough; snapshots would only cost.
    'save ""',
    'maxmemory-policy noeviction',
    // Else Redis stands still while it frees a large key whose time is over.
    'lazyfree-lazy-expire yes',
    '',
  ].join('\n');
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
