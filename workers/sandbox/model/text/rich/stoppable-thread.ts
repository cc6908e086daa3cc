import { readFileSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import type { Markup } from './markup.ts';
import type { ThreadMessage } from './parse-thread.ts';

const CHECK_MIN_MS = 30;

/** A thread that parses texts one at a time, and is terminated if one takes too long. */
export class StoppableThread {
  private readonly thread: Worker;
  private usageFile: string | null = null;
  private lastUsedMs = 0;

  private constructor(thread: Worker) {
    this.thread = thread;
  }

  /** Starts a thread and waits until it is ready; `onEnd` is called when it has ended, for whatever reason. */
  static async start(onEnd: (ended: StoppableThread) => void): Promise<StoppableThread> {
    // The parsers are large: a worker that reads no such text does not load them.
    const { startParseThread } = await import('./parse-thread.ts');
    const started = new StoppableThread(startParseThread());
    const { thread } = started;
    // A thread with an error ends, which is handled as its end.
    thread.on('error', () => undefined);
    thread.once('exit', () => onEnd(started));
    const message = await new Promise<ThreadMessage>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('exit', () => reject(new Error('a thread that reads texts could not be started')));
    });
    if ('ready' in message && message.ready !== null) {
      started.usageFile = `${message.ready}/schedstat`;
      // Some kernels have no such file, or nothing but zeros in it. A thread that has started has used some time.
      if (!(started.usedMs() > 0)) started.usageFile = null;
    }
    return started;
  }

  /**
   * Parses a text. Returns the result, or null if the thread was terminated because it took more than `limitMs` of CPU time or too much
   * memory, and the CPU time used.
   */
  read(markup: Markup, limitMs: number): Promise<{ message: ThreadMessage | null; usedMs: number }> {
    const { thread } = this;
    return new Promise((resolve) => {
      const before = this.usedMs();
      // CPU time, not elapsed time: waiting for a processor does not count against the text.
      const check = () => {
        const leftMs = limitMs - (this.usedMs() - before);
        if (leftMs <= 0) end(null);
        else timer = setTimeout(check, Math.max(leftMs, CHECK_MIN_MS));
      };
      let timer = setTimeout(check, limitMs);
      const end = (message: ThreadMessage | null) => {
        clearTimeout(timer);
        const usedMs = message === null ? limitMs : this.usedMs() - before;
        thread.off('message', end).off('exit', onExit);
        if (message === null) void thread.terminate();
        resolve({ message, usedMs });
      };
      const onExit = () => end(null);
      thread.on('message', end).on('exit', onExit);
      thread.postMessage(markup);
    });
  }

  // On systems without CPU time per thread, the whole process's.
  private usedMs(): number {
    if (this.usageFile === null) {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    }
    try {
      this.lastUsedMs = Number.parseInt(readFileSync(this.usageFile, 'utf8'), 10) / 1e6;
    } catch {
      // The thread has ended.
    }
    return this.lastUsedMs;
  }
}
