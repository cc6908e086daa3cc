import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { vi } from 'vitest';
import { findFreePort } from '../free-port.ts';

const COPIED = ['package.json', 'package-lock.json', 'tsconfig.json', 'src', 'workers', 'dist'];
// Settings of the machine, and what npm and vitest tell their own children.
const NOT_INHERITED =
  /^(npm_|INIT_CWD|VITEST|NODE_ENV|HOST$|PORT$|REDIS_URL|LOG_LEVEL|PUBLIC_URL|SWITCHBOARD_)/;
// Many processes that start at once on a busy machine take long.
const START_MS = 60_000;
const READY = 'Ctrl-C stops it';

/** A process, as /proc shows it. */
export interface Process {
  pid: number;
  command: string;
}

/** A checkout of its own, with the packages of this one. */
export class Checkout {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-checkout-')));

  constructor() {
    // With the times of the files, by which `npm start` sees that they are compiled already.
    execFileSync('cp', ['-a', ...COPIED, this.dir]);
    symlinkSync(resolve('node_modules'), join(this.dir, 'node_modules'));
  }

  /** Runs `npm start` on a port of its own. */
  start(settings: Record<string, string> = {}): Promise<NpmRun> {
    return this.npm(['start'], settings);
  }

  /** Runs npm in a process group of its own, as a terminal does. */
  async npm(args: string[], settings: Record<string, string> = {}): Promise<NpmRun> {
    const port = settings.PORT ?? String(await findFreePort());
    const inherited = Object.entries(process.env).filter(([name]) => !NOT_INHERITED.test(name));
    const env = { ...Object.fromEntries(inherited), PORT: port, ...settings };
    return new NpmRun(spawn('npm', args, { cwd: this.dir, env, detached: true }), Number(port));
  }

  /** Every process that runs in the checkout or on its data. */
  processes(): Process[] {
    return readdirSync('/proc').flatMap((name) => {
      const found = /^\d+$/.test(name) ? findProcess(Number(name)) : null;
      return found && (found.cwd === this.dir || found.cwd.startsWith(`${this.dir}/`)) ? [found] : [];
    });
  }

  /** The processes whose command line contains a text. */
  find(text: string): Process[] {
    return this.processes().filter(({ command }) => command.includes(text));
  }

  /** The first of them that is no shell; throws if there is none. */
  findOne(text: string): Process {
    const found = this.find(text).find(({ command }) => !command.startsWith('sh '));
    if (!found) throw new Error(`No process runs ${text}.`);
    return found;
  }

  /** Ends whatever still runs here, and removes the folder. */
  remove(): void {
    for (const { pid } of this.processes()) killIfRunning(pid);
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** An npm that runs, or ran. */
export class NpmRun {
  stdout = '';
  stderr = '';
  readonly child: ChildProcess;
  readonly port: number;
  readonly exited: Promise<number | null>;

  constructor(child: ChildProcess, port: number) {
    this.child = child;
    this.port = port;
    child.stdout?.on('data', (chunk) => {
      this.stdout += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      this.stderr += chunk;
    });
    this.exited = once(child, 'close').then(([code]) => code);
  }

  /** Resolves once it has printed a text: by default the last of what `npm start` says at the start. */
  async untilPrinted(text = READY): Promise<void> {
    await vi.waitFor(
      () => {
        if (this.child.exitCode !== null) throw new Error(`It ended: ${this.stdout}${this.stderr}`);
        if (!this.stdout.includes(text)) throw new Error(`Not ready yet: ${this.stdout}${this.stderr}`);
      },
      { timeout: START_MS, interval: 20 },
    );
  }

  /** The commands it printed, in their order: a call, the stream, a list. */
  get commands(): string[] {
    return this.stdout.split('\n').flatMap((line) => line.match(/^\s*(curl .*)$/)?.[1] ?? []);
  }

  /** Presses Ctrl-C: the terminal sends SIGINT to the whole process group. */
  pressCtrlC(): void {
    this.signalGroup('SIGINT');
  }

  /** Sends a signal to npm and all that it has started in its process group. */
  signalGroup(signal: NodeJS.Signals): void {
    // 0 would be the group of the tests themselves.
    if (!this.child.pid) throw new Error('npm was not started');
    process.kill(-this.child.pid, signal);
  }
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It may have ended since it was listed.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function findProcess(pid: number): (Process & { cwd: string }) | null {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { pid, command, cwd: readlinkSync(`/proc/${pid}/cwd`) };
  } catch {
    return null;
  }
}
