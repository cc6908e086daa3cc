import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { StartError } from '../../run-process.ts';
import { unpackRedisServer } from './unpack-redis-server.ts';

const run = promisify(execFile);
const OLDEST_MAJOR = 7;

/**
 * The command of a Redis or Valkey server: from the PATH, otherwise from Debian's packages. Throws a `StartError` that says what to
 * install, or the reason of `signal` when that ends the download.
 */
export async function findRedisServer(
  report: (line: string) => void,
  signal: AbortSignal = new AbortController().signal,
): Promise<string> {
  for (const command of ['redis-server', 'valkey-server']) if (await isUsable(command)) return command;
  const unpacked = await unpackRedisServer(report, signal);
  if (unpacked && (await isUsable(unpacked))) return unpacked;
  throw new StartError(
    `Switchboard needs a Redis ${OLDEST_MAJOR} or newer: install one (${await adviseInstall()}), or set REDIS_URL to one that runs.`,
  );
}

async function isUsable(command: string): Promise<boolean> {
  const version = await run(command, ['--version']).catch(() => null);
  return Number(version?.stdout.match(/\bv=(\d+)/)?.[1]) >= OLDEST_MAJOR;
}

async function adviseInstall(): Promise<string> {
  if (process.platform === 'darwin') return 'brew install redis';
  const managers = {
    'apt-get': 'install redis-server',
    apk: 'add redis',
    dnf: 'install valkey',
    pacman: '-S valkey',
  };
  for (const [manager, args] of Object.entries(managers)) {
    const isInstalled = await run(manager, ['--version']).catch(() => null);
    if (isInstalled) return `${manager} ${args}`;
  }
  return 'the package is called redis or valkey';
}
