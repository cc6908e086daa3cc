import { type ChildProcess, spawn } from 'node:child_process';
import { on } from 'node:events';
import { isListeningMessage } from '../../../src/listening-message.ts';

const LINES_KEPT = 40;
const STOP_MS = 15_000;
const STOP_EARLY_MS = 3_000;

const running = new Set<Child>();

/** Stops every child there is, with little patience. */
export async function stopChildren(): Promise<void> {
  await Promise.all([...running].map((child) => child.stop(STOP_EARLY_MS)));
}

/** How to start a process of the bench. */
export interface ChildOptions {
  /** What it is called when it fails. */
  name: string;
  /** Compiled main file, from the working directory. */
  file: string;
  env: Record<string, string>;
  nodeArgs?: string[];
}

/**
 * A Node process that cannot outlive the bench: it has a channel to it, and every main file here stops when that closes. What
 * it prints is kept for the case that it fails.
 */
export class Child {
  readonly name: string;
  readonly process: ChildProcess;
  private readonly lines: string[] = [];
  private readonly ended: Promise<void>;
  private stopping = false;
  private readonly failure: Promise<never>;

  constructor({ name, file, env, nodeArgs = [] }: ChildOptions) {
    this.name = name;
    this.process = spawn(process.execPath, [...nodeArgs, file], {
      env: { ...ownEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // JSON would make null of a percentile of nothing.
      serialization: 'advanced',
    });
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.keep(text));
    }
    running.add(this);
    this.ended = new Promise((resolve) => {
      this.process.once('exit', () => {
        running.delete(this);
        resolve();
      });
    });
    this.failure = this.ended.then(() => {
      throw new Error(`${this.name} ended${this.stopping ? '' : ` by itself:\n${this.output}`}`);
    });
    this.failure.catch(() => undefined);
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** What it printed last. */
  get output(): string {
    return this.lines.join('\n');
  }

  /** Waits for something, and rejects at once when the process ends instead. */
  during<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.failure]);
  }

  /** Sends a message and gives the answer; one at a time. */
  ask<Answer>(message: string): Promise<Answer> {
    const answered = (async () => {
      // An API process says by itself when it takes requests.
      for await (const [answer] of on(this.process, 'message'))
        if (!isListeningMessage(answer)) return answer;
    })();
    this.process.send(message);
    return this.during(answered);
  }

  /** Asks it to end, and ends it when it has not done so in time. */
  async stop(patienceMs = STOP_MS): Promise<void> {
    this.stopping = true;
    if (!this.isRunning) return;
    this.process.kill('SIGTERM');
    const overdue = setTimeout(() => this.process.kill('SIGKILL'), patienceMs);
    await this.ended;
    clearTimeout(overdue);
  }

  private keep(text: string): void {
    this.lines.push(...text.split('\n').filter((line) => line !== ''));
    this.lines.splice(0, Math.max(0, this.lines.length - LINES_KEPT));
  }
}

// Settings of whoever runs the bench must not become settings of one design.
function ownEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR = '', LANG = '' } = process.env;
  return { PATH, HOME, LANG, ...(TMPDIR === '' ? {} : { TMPDIR }) };
}
