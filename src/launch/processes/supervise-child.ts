import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isListeningMessage } from '../../listening-message.ts';
import { forkChild, type Program } from './fork-child.ts';
import { forwardLines } from './forward-lines.ts';

const FIRST_RESTART_MS = 50;
const SLOWEST_RESTART_MS = 5_000;
const HEALTHY_MS = 10_000;

interface Options extends Program {
  /** Its standard output is forwarded once this has resolved. */
  mayPrint: Promise<void>;
  onSpawn?: (pid: number) => void;
  /** Called for every unexpected end; the process starts again after `restartMs`. */
  onCrash: (how: Crash) => void;
}

/** How a process ended, or the reason for which it could not be started. */
interface End {
  code: number | null;
  signal: string | null;
  reason?: string;
}

/** An unexpected end. */
export interface Crash extends End {
  restartMs: number;
}

/** A child process that is restarted whenever it ends unexpectedly. */
export interface SupervisedChild {
  /** Undefined while it is not running. */
  readonly pid: number | undefined;
  /** Whether it has said that it takes requests. */
  readonly isListening: boolean;
  /** Asks it to stop, and kills it after `graceMs`. Idempotent: asked twice it would stop at once. */
  stop(graceMs: number): Promise<void>;
  /** Ends it now. */
  kill(): void;
}

/** Runs a module in a child process. The first restart is quick; repeated crashes make it wait longer. */
export function superviseChild(options: Options): SupervisedChild {
  const stopping = new AbortController();
  let child: ChildProcess | null = null;
  let isListening = false;

  async function run(): Promise<End> {
    let started: ChildProcess;
    try {
      started = startChild(options);
    } catch (error) {
      // As for want of memory.
      return notStarted(error);
    }
    child = started;
    started.on('message', (message) => {
      // What it has sent may come after its end.
      if (child === started) isListening ||= isListeningMessage(message);
    });
    const end = await untilExit(started);
    child = null;
    isListening = false;
    return end;
  }

  const ended = (async () => {
    let crashes = 0;
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const end = await run();
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAt >= HEALTHY_MS) crashes = 0;
      const restartMs = Math.min(FIRST_RESTART_MS * 2 ** crashes++, SLOWEST_RESTART_MS);
      options.onCrash({ ...end, restartMs });
      await sleep(restartMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();

  return {
    get pid() {
      return child?.pid;
    },
    get isListening() {
      return isListening;
    },
    async stop(graceMs) {
      if (!stopping.signal.aborted) {
        stopping.abort();
        child?.kill('SIGTERM');
      }
      const overdue = setTimeout(() => child?.kill('SIGKILL'), graceMs);
      await ended;
      clearTimeout(overdue);
    },
    kill() {
      stopping.abort();
      child?.kill('SIGKILL');
    },
  };
}

function startChild(options: Options): ChildProcess {
  const child = forkChild(options);
  if (child.stdout) forwardLines(child.stdout, process.stdout, options.mayPrint);
  if (child.pid !== undefined) options.onSpawn?.(child.pid);
  return child;
}

async function untilExit(child: ChildProcess): Promise<End> {
  const failed = once(child, 'error').then(([error]) => notStarted(error));
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  return Promise.race([exited, failed]);
}

function notStarted(error: unknown): End {
  return { code: null, signal: null, reason: (error as Error).message };
}
