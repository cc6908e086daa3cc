import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { identifyProcess, isRunning } from '../process-identity.mjs';

const SERVER = /(^|\/)(redis|valkey)-server/;

/** Whether a process is a Redis server of this user in a folder. If the folder cannot be read, any Redis server of this user counts. */
export function isRedisServer(pid: number, dir: string): boolean {
  return isServerIn(pid, [dir]);
}

function isServerIn(pid: number, folders: string[]): boolean {
  try {
    if (process.platform !== 'linux') return isServerByPs(pid);
    const isOwn = statSync(`/proc/${pid}`).uid === process.getuid?.();
    const name = readFileSync(`/proc/${pid}/comm`, 'utf8');
    return isOwn && SERVER.test(name) && folders.includes(readlinkSync(`/proc/${pid}/cwd`));
  } catch {
    return false;
  }
}

/** The identity of the Redis server of this user that runs in a folder, even if it is not recorded; null if there is none. */
export function findRedisServerOf(dir: string): string | null {
  if (process.platform !== 'linux') return null;
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && isRedisServer(Number(name), dir));
  return pid === undefined ? null : identifyProcess(Number(pid));
}

/** Ends a server and waits for its end; kills it after `patienceMs`. Never touches any other process. */
export async function endRedisServer(identity: string, dir: string, patienceMs: number): Promise<void> {
  const pid = Number.parseInt(identity, 10);
  // The folder may have been removed meanwhile.
  const runs = () => isRunning(identity) && isServerIn(pid, [dir, `${dir} (deleted)`]);
  const end = (signal: NodeJS.Signals) => {
    if (runs()) process.kill(pid, signal);
  };
  end('SIGTERM');
  for (const startedAt = performance.now(); runs(); await sleep(10)) {
    if (performance.now() - startedAt > patienceMs) end('SIGKILL');
  }
}

function isServerByPs(pid: number): boolean {
  const line = execFileSync('ps', ['-o', 'uid=,comm=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  const [uid, command = ''] = line.split(/\s+/, 2);
  return Number(uid) === process.getuid?.() && SERVER.test(command);
}
