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
  const child = cluster.fork(env).process;
  closeUntaken(child);
  return child;
}
