import { writeSync } from 'node:fs';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const CHECKS = 20;

interface Watch {
  beats: Int32Array;
  checkMs: number;
  /** The line of log that tells of the end. */
  lastWords: string;
}

/**
 * Kills this process once its event loop has not turned for `stalledMs`, after a last line of log: what runs for ever answers
 * nobody, holds on to its calls and hears no signal, and whoever supervises the process starts another. A thread of its own
 * watches, and goes by how often it looked: time in which the whole process, or its machine, stood still does not count.
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
  // Without what was loaded into the main thread before its own code.
  const bare = {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
  };
  new Worker(new URL(import.meta.url), { ...bare, workerData: { beats, checkMs, lastWords } satisfies Watch })
    // Without it the process is as good as before.
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
