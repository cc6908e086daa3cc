import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

const BIN = fileURLToPath(new URL('../../../src/cli/bin.mjs', import.meta.url));

/** How a command has ended, and what it has said. */
export interface CliOutput {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The command line of a user who is in an empty folder and has saved nothing yet. */
export class Cli {
  readonly folder = mkdtempSync(join(tmpdir(), 'switchboard-cli-'));
  readonly env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv = {}) {
    const inherited = Object.entries(process.env).filter(([name]) => !/^(SWITCHBOARD_|REDIS_)/.test(name));
    this.env = { ...Object.fromEntries(inherited), XDG_CONFIG_HOME: join(this.folder, 'config'), ...env };
    afterAll(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  /** Starts a command, with the text as its standard input; its output goes into a pipe or an open file. */
  start(args: readonly string[], input = '', output: 'pipe' | number = 'pipe'): ChildProcess {
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: this.folder,
      env: this.env,
      stdio: ['pipe', output, 'pipe'],
    });
    child.stdin?.end(input);
    return child;
  }

  /** Runs a command to its end. */
  async run(args: readonly string[], input = ''): Promise<CliOutput> {
    const child = this.start(args, input);
    const said: CliOutput = { code: null, stdout: '', stderr: '' };
    child.stdout?.on('data', (chunk) => {
      said.stdout += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      said.stderr += chunk;
    });
    const [code] = await once(child, 'close');
    return { ...said, code };
  }

  /** Runs a command that has to succeed, and gives the values of its `--json`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into values of any shape
  async json(args: readonly string[], input = ''): Promise<any[]> {
    const { code, stdout, stderr } = await this.run([...args, '--json'], input);
    if (code !== 0) throw new Error(`${args.join(' ')}: ${code} ${stderr}`);
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  }
}
