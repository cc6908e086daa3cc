import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { identifyProcess, isRunning } from '../process-identity.mjs';

const SERVER = /(^|\/)(redis|valkey)-server/;

/** Whether a process is a Redis server of this user in a folder. If the folder cannot be read, any Redis server of this user counts. */
export function isRedisServer(pid: number, dir: string): boolean {
  try {
    if (process.platform !== 'linux') return isServerByPs(pid);
    const isOwn = statSync(`/proc/${pid}`).uid === process.getuid?.();
    const name = readFileSync(`/proc/${pid}/comm`, 'utf8');
    return isOwn && SERVER.test(name) && readlinkSync(`/proc/${pid}/cwd`) === dir;
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
  const end = (signal: NodeJS.Signals) => {
    if (isRunning(identity) && isRedisServer(pid, dir)) process.kill(pid, signal);
  };
  end('SIGTERM');
  for (const startedAt = Date.now(); isRunning(identity) && isRedisServer(pid, dir); await sleep(10)) {
    if (Date.now() - startedAt > patienceMs) end('SIGKILL');
  }
}

function isServerByPs(pid: number): boolean {
  const line = execFileSync('ps', ['-o', 'uid=,comm=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  const [uid, command = ''] = line.split(/\s+/, 2);
  return Number(uid) === process.getuid?.() && SERVER.test(command);
}
