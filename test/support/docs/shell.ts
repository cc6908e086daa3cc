import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually } from '../eventually.ts';

// A refused request ends the commands, and a stream ends with what there is.
const CURL = `#!/usr/bin/env bash
PATH=\${PATH#*:}
case "$*" in
  *live=sse*) sed '/upToDate/q' < <(curl "$@" 2>/dev/null) ;;
  *) exec curl --fail-with-body "$@" ;;
esac
`;

/** A process, and what it has printed so far. */
interface Started {
  child: ChildProcess;
  printed: string;
  closed: Promise<unknown>;
}

/** A shell in a folder like that of somebody who has run `npm start`, with examples and the root key in it. */
export class Shell {
  readonly folder = mkdtempSync(join(tmpdir(), 'switchboard-docs-'));
  private readonly started: Started[] = [];

  constructor(rootKey: string) {
    mkdirSync(join(this.folder, '.switchboard'));
    writeFileSync(join(this.folder, '.switchboard/root-key'), rootKey);
    symlinkSync(resolve('docs'), join(this.folder, 'docs'));
    mkdirSync(join(this.folder, 'bin'));
    writeFileSync(join(this.folder, 'bin/curl'), CURL);
    chmodSync(join(this.folder, 'bin/curl'), 0o755);
  }

  /** Starts commands, with a process group of their own. */
  start(commands: string, env: Record<string, string>): Started {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
      cwd: this.folder,
      env: { ...process.env, PATH: `${this.folder}/bin:${process.env.PATH}`, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const started: Started = { child, printed: '', closed: once(child, 'close') };
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        started.printed += chunk;
      });
    this.started.push(started);
    return started;
  }

  /** Runs commands until they end, or have printed what is waited for, and ends them. Gives all they printed; throws if one failed. */
  async run(commands: string, env: Record<string, string>, until: RegExp[]): Promise<string> {
    const started = this.start(commands, env);
    const isDone = () => {
      if (started.child.exitCode) throw new Error('a command failed');
      return started.child.exitCode === 0 || until.every((pattern) => pattern.test(started.printed));
    };
    try {
      await eventually(isDone, { timeoutMs: 60_000 });
    } catch (error) {
      throw new Error(`${error}: ${started.printed}`);
    } finally {
      await end(started);
    }
    return started.printed;
  }

  async close(): Promise<void> {
    await Promise.all(this.started.map(end));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Ends commands with all that they have started. */
async function end({ child, closed }: Started): Promise<void> {
  // 0 would be the group of the tests themselves.
  if (!child.pid) throw new Error('the commands were not started');
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
  await closed;
}
