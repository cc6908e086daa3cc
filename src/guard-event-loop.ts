import { writeSync } from 'node:fs';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const CHECKS = 20;

interface Watch {
  beats: Int32Array;
  checkMs: number;
  /** The line that is logged before the process is killed. */
  lastWords: string;
}

/**
 * Kills this process, after a last line of log, once its event loop has not turned for `stalledMs`. A stuck process answers nobody, keeps
 * its calls and ignores signals; its supervisor starts another. A separate thread watches and counts its checks, so time during which the
 * whole process or machine was suspended does not count.
 */
export function guardEventLoop(stalledMs: number, part: string): void {
  const checkMs = stalledMs / CHECKS;
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const { pid } = process;
  const lastWords = JSON.stringify({
    level: 60,
    part,
    pid,
    stalledMs,
    msg: 'the event loop is stuck; ending',
  });
  // Without modules that are preloaded into the main thread.
  const bare = {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
  };
  new Worker(new URL(import.meta.url), { ...bare, workerData: { beats, checkMs, lastWords } satisfies Watch })
    // Without the watcher the process still works.
    .on('error', () => undefined)
    .unref();
  setInterval(() => Atomics.add(beats, 0, 1), checkMs / 2).unref();
}

function watch({ beats, checkMs, lastWords }: Watch): void {
  let seen = 0;
  let stalled = 0;
  setInterval(() => {
    const now = Atomics.load(beats, 0);
    stalled = now === seen ? stalled + 1 : 0;
    seen = now;
    if (stalled < CHECKS) return;
    try {
      writeSync(1, `${lastWords}\n`);
    } finally {
      process.kill(process.pid, 'SIGKILL');
    }
  }, checkMs);
}

if (!isMainThread && (workerData as Partial<Watch> | null)?.lastWords) watch(workerData as Watch);
