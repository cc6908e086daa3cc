import { type ChildProcess, fork } from 'node:child_process';
import cluster from 'node:cluster';
import { closeUntaken } from './close-untaken.ts';

// The closed IPC channel tells a process when its supervisor is gone.
const STDIO: ('ignore' | 'pipe' | 'inherit' | 'ipc')[] = ['ignore', 'pipe', 'inherit', 'ipc'];

/** A process to start. */
export interface Program {
  /** The compiled module that it runs. */
  module: string;
  env: NodeJS.ProcessEnv;
  /** Its number among the processes that share a port; the parent then listens and hands out the connections. */
  number?: number;
}

/** Starts a child process. */
export function forkChild({ module, env, number }: Program): ChildProcess {
  // In a process group of its own: Ctrl-C reaches it through the supervisor only, once and in the right order.
  if (number === undefined) return fork(module, { env, detached: true, stdio: STDIO });
  cluster.setupPrimary({ exec: module, args: [String(number)], stdio: STDIO });
  const worker = cluster.fork(env);
  // As on too many processes or open files: it is the process that tells why, and Node would throw what nobody hears here.
  worker.on('error', () => undefined);
  const { process: child } = worker;
  // Without a process there may be no channel.
  if (child.connected) closeUntaken(child);
  return child;
}
