import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { loadDotEnv } from '../../launch/load-dot-env.mjs';
import { stopWithNpm } from '../../launch/stop-with-npm.mjs';
import { UsageError } from '../terminal/failures.ts';

const COMPILED = join(import.meta.dirname, '../../..');
// How garbage is collected, as the npm scripts set it: a larger young generation, and one thread that helps each process.
const COLLECTION = ['--max-semi-space-size=16', '--v8-pool-size=1'];

const PROCESSES = [
  {
    name: 'start',
    module: 'src/launch/start.js',
    summary: 'run everything on this machine',
    does: 'Runs a private Redis (or that of REDIS_URL), the API and its workers, and keeps their data in .switchboard of this folder. Ctrl-C stops it.',
  },
  {
    name: 'api',
    module: 'src/launch/api.js',
    summary: 'run an API process, or several',
    does: 'Runs one API process, or SWITCHBOARD_API_PROCESSES of them on one port, on the Redis of REDIS_URL, with the root key SWITCHBOARD_ROOT_KEY.',
  },
  {
    name: 'worker',
    module: 'workers/main.js',
    summary: 'run a worker',
    does: 'Runs one worker on the Redis of REDIS_URL.',
  },
];

const NOTES = `
Settings are environment variables, or lines of a file named .env in this folder; .env.example of the package lists them.`;

/** `switchboard start`, `api` and `worker`: the service itself, as installed. */
export function addServiceCommands(program: Command): void {
  for (const { name, module, summary, does } of PROCESSES)
    program
      .command(name)
      .summary(summary)
      .description(does)
      .addHelpText('after', NOTES)
      .action(() => run(module));
}

async function run(module: string): Promise<void> {
  try {
    loadDotEnv();
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  process.execArgv.push(...COLLECTION);
  // A service goes on when nobody reads its output.
  process.stdout.removeAllListeners('error');
  stopWithNpm(process.env.npm_lifecycle_event);
  await import(pathToFileURL(join(COMPILED, module)).href);
}
