import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
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
  onCrash: (how: { code: number | null; signal: string | null; restartMs: number }) => void;
}

/** A child process that is restarted whenever it ends unexpectedly. */
export interface SupervisedChild {
  /** Undefined while it is not running. */
  readonly pid: number | undefined;
  /** Asks it to stop, and kills it after `graceMs`. Idempotent: asked twice it would stop at once. */
  stop(graceMs: number): Promise<void>;
  /** Ends it now. */
  kill(): void;
}

/** Runs a module in a child process. The first restart is quick; repeated crashes make it wait longer. */
export function superviseChild(options: Options): SupervisedChild {
  const stopping = new AbortController();
  let child: ChildProcess | null = null;

  const ended = (async () => {
    let crashes = 0;
    while (!stopping.signal.aborted) {
      const startedAt = Date.now();
      child = startChild(options);
      const { code, signal } = await untilExit(child);
      child = null;
      if (stopping.signal.aborted) return;
      if (Date.now() - startedAt >= HEALTHY_MS) crashes = 0;
      const restartMs = Math.min(FIRST_RESTART_MS * 2 ** crashes++, SLOWEST_RESTART_MS);
      options.onCrash({ code, signal, restartMs });
      await sleep(restartMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();

  return {
    get pid() {
      return child?.pid;
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

async function untilExit(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  const failed = once(child, 'error').then(() => ({
    code: null,
    signal: null,
  }));
  const exited = once(child, 'exit').then(([code, signal]) => ({
    code,
    signal,
  }));
  return Promise.race([exited, failed]);
}
