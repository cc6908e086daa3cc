import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const STOP_MS = 25_000;
const RESTART_MS = 250;
// What a process says that is started while Redis is away; it is started again.
const NO_REDIS = /^Redis (at \S+ cannot be reached|cannot be reached at|was lost during the start)/;
// Said of a call whose worker was killed twice while it ran alone; its caller is told, and the checker sees to it.
const GIVEN_UP = '"msg":"gave a call up"';

export interface MemberOptions {
  name: string;
  /** The compiled main file, from the project's folder. */
  file: string;
  env: Record<string, string>;
  /** Options of Node. */
  nodeArgs: string[];
  /** Modules loaded before it, as absolute paths. */
  preloads: string[];
  /** What it logs once it serves. */
  readyLine: string;
  /** Hears of everything that should not be: a crash, an error in the log, a word on standard error. */
  onIncident(what: string): void;
}

/** A process of the service that is started again whenever it ends. */
export class CrewMember {
  readonly name: string;
  private readonly options: MemberOptions;
  private child: ChildProcess | undefined;
  private stopping = false;
  private isKilled = false;
  private isOverdue = false;
  private restartMs = 0;
  private readonly readied: (() => void)[] = [];
  private loop: Promise<void> | undefined;
  isReady = false;
  starts = 0;

  constructor(options: MemberOptions) {
    this.options = options;
    this.name = options.name;
  }

  /** Starts it and resolves once it serves. */
  start(): Promise<void> {
    this.loop = this.run();
    return this.untilReady();
  }

  /** Resolves once it serves. */
  untilReady(): Promise<void> {
    return this.isReady ? Promise.resolve() : new Promise((resolve) => this.readied.push(resolve));
  }

  /** Kills it, or asks it to stop; it is started again `downMs` after its end. */
  kill(downMs: number, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): void {
    this.isKilled = true;
    this.isReady = false;
    this.restartMs = downMs;
    this.child?.kill(signal);
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** Moves its clock by so many ms from the machine's. */
  shiftClock(ms: number): void {
    if (this.child?.connected) this.child.send({ shiftClockMs: ms }, () => undefined);
  }

  async stop(): Promise<void> {
    this.stopping = true;
    const { child } = this;
    if (child && child.exitCode === null && child.signalCode === null) {
      child.kill('SIGCONT');
      child.kill('SIGTERM');
    }
    const overdue = setTimeout(() => {
      this.isOverdue = true;
      this.child?.kill('SIGKILL');
    }, STOP_MS);
    await this.loop;
    clearTimeout(overdue);
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      this.isKilled = false;
      const { code, signal, stderr } = await this.runOnce();
      this.isReady = false;
      const isExpected =
        this.isKilled || (this.stopping && code === 0) || (code === 1 && NO_REDIS.test(stderr));
      if (!isExpected) this.options.onIncident(`ended with ${code ?? signal}: ${stderr.slice(0, 2_000)}`);
      else if (code !== 1 && othersIn(stderr) !== '') this.options.onIncident(stderr.slice(0, 2_000));
      if (this.isOverdue) this.options.onIncident(`did not stop within ${STOP_MS} ms`);
      if (this.stopping) return;
      await sleep(this.isKilled ? this.restartMs : RESTART_MS);
    }
  }

  private async runOnce(): Promise<{ code: number | null; signal: string | null; stderr: string }> {
    const { file, env, nodeArgs, preloads } = this.options;
    const imports = preloads.flatMap((preload) => ['--import', preload]);
    const child = spawn(process.execPath, [...nodeArgs, ...imports, file], {
      cwd: ROOT,
      env: { ...ownEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.child = child;
    this.starts += 1;
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => this.hear(line));
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    return { code, signal, stderr };
  }

  private hear(line: string): void {
    if (/"level":(50|60),/.test(line) && !line.includes(GIVEN_UP))
      this.options.onIncident(line.slice(0, 2_000));
    if (this.isReady || !line.includes(this.options.readyLine)) return;
    this.isReady = true;
    for (const resolve of this.readied.splice(0)) resolve();
  }
}

// A worker's process for calls that run alone says it on the worker's standard error, and is started again by the worker.
function othersIn(stderr: string): string {
  return stderr
    .split('\n')
    .filter((line) => !NO_REDIS.test(line))
    .join('');
}

// Settings of whoever starts the run must not become settings of the service.
function ownEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR = '', LANG = '' } = process.env;
  return { PATH, HOME, LANG, ...(TMPDIR === '' ? {} : { TMPDIR }) };
}
