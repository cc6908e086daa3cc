import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../run-process.ts';
import { askRedis } from './ask-redis.ts';

/** A Redis server on a data folder of its own. */
export interface RedisPlace {
  dir: string;
  port: number;
  password: string;
}

/** The address of the server of a place. */
export function addressOf({ port, password }: RedisPlace): string {
  return `redis://:${password}@127.0.0.1:${port}`;
}

/** The process and the folder of the server that answers at a place, or null if none does. */
export function findServer(place: RedisPlace): Promise<{ pid: number; dir: string } | null> {
  return askRedis(addressOf(place), async (redis) => {
    const [, dir = ''] = (await redis.config('GET', 'dir')) as string[];
    const info = await redis.info('server');
    return { pid: Number(info.match(/process_id:(\d+)/)?.[1]), dir };
  }).catch(() => null);
}

/**
 * Starts a server and resolves once it has loaded its data, or with null if the port is taken. The server is no part of our
 * process group: neither Ctrl-C nor our own death ends it. `onSpawn` hears of its process at once.
 */
export async function startRedisChild(
  server: string,
  place: RedisPlace,
  onSpawn: (pid: number) => void,
): Promise<number | null> {
  const logFile = join(place.dir, 'redis.log');
  const log = openSync(logFile, 'w', 0o600);
  // The settings come in on standard input: arguments, and so the password, could be read by every user of the machine.
  const child = spawn(server, ['-'], {
    detached: true,
    stdio: ['pipe', log, log],
  });
  closeSync(log);
  let failure: string | null = null;
  child.once('error', (error) => {
    failure = error.message;
  });
  child.once('exit', () => {
    failure = readFileSync(logFile, 'utf8');
  });
  child.stdin?.on('error', () => {});
  child.stdin?.end(settingsOf(place));
  child.unref();
  if (child.pid !== undefined) onSpawn(child.pid);

  // However long that takes: a large append-only file is read for minutes.
  while (failure === null) {
    const found = await findServer(place);
    if (found?.dir === place.dir) return found.pid;
    await sleep(20);
  }
  if (/Address already in use|Failed listening/.test(failure)) return null;
  throw new StartError(`The private Redis does not start on ${place.dir}; it says: ${lastLine(failure)}`);
}

function settingsOf({ dir, port, password }: RedisPlace): string {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir ${JSON.stringify(dir)}`,
    'appendonly yes',
    'appendfsync everysec',
    // The append-only file is the data; snapshots beside it would only cost.
    'save ""',
    'maxmemory-policy noeviction',
    '',
  ].join('\n');
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
