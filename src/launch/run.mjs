#!/usr/bin/env node
// Runs Switchboard's commands on a fresh clone: Node and npm are all that must be there. So this file and what it imports are
// plain JavaScript without packages.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compile, isCompiled } from './compile.mjs';
import { arePackagesInstalled, installPackages } from './install-packages.mjs';
import { stopWithNpm } from './stop-with-npm.mjs';
import { LockedError, takeLock } from './take-lock.mjs';

const HELP = `Switchboard (beta): a queue-backed gateway to messenger accounts

  npm start              everything on this machine: a private Redis (or REDIS_URL), the API and its workers
  npm run api            one API process, against REDIS_URL
  npm run worker         one worker process, against REDIS_URL
  npm test               every test; npm test -- <words> runs the files whose path contains them
  npm run bench          what it achieves beside the usual design; npm run bench -- --help lists the scenarios
  npm run torture        kills, pauses and cuts off what there is under load, and checks what was promised

Each installs the packages and compiles the sources first if that has to be done.
Settings are environment variables, or lines of a file named .env; .env.example lists them.
`;

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** @type {Record<string, { file: string, args?: string[], readsDotEnv?: boolean, isTypeScript?: boolean }>} */
const COMMANDS = {
  start: { file: 'dist/src/launch/start.js', readsDotEnv: true },
  api: { file: 'dist/src/api/main.js', readsDotEnv: true },
  worker: { file: 'dist/workers/main.js', readsDotEnv: true },
  test: {
    file: 'node_modules/vitest/vitest.mjs',
    args: ['run', '--config', 'test/vitest.config.ts'],
  },
  bench: { file: 'test/bench/main.ts', isTypeScript: true },
  torture: { file: 'test/torture/main.ts', isTypeScript: true },
};

/** @param {string[]} argv */
async function run([name = '--help', ...args]) {
  assertNodeIsNewEnough();
  const command = COMMANDS[name];
  if (!command || (args.includes('--help') && name !== 'bench')) {
    process.stdout.write(HELP);
    process.exitCode = command || name === '--help' ? 0 : 1;
    return;
  }
  process.chdir(ROOT);
  stopWithNpm(process.env.npm_lifecycle_event);
  if (command.readsDotEnv && existsSync('.env')) process.loadEnvFile('.env');
  await prepare();
  const file = join(ROOT, command.file);
  // In this same process, so that signals and exit codes need no forwarding.
  process.argv = [process.execPath, file, ...(command.args ?? []), ...args];
  if (command.isTypeScript) (await import('tsx/esm/api')).register();
  await import(pathToFileURL(file).href);
}

function assertNodeIsNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Error(`Switchboard needs Node 20.19 or newer; this is ${process.versions.node}.`);
}

/** Installs and compiles what has to be, one process at a time. */
async function prepare() {
  const withoutDev = process.env.NODE_ENV === 'production' && existsSync('dist/src');
  const isInstalled = () => arePackagesInstalled(ROOT, { withoutDev });
  if (isInstalled() && isCompiled(ROOT)) return;
  const lock = await waitForLock();
  try {
    if (!isInstalled()) {
      await report('Installing packages (npm ci)', () => installPackages(ROOT, findNpm(), lock.shareWith));
    }
    if (!isCompiled(ROOT)) await report('Compiling (tsc)', () => compile(ROOT, lock.shareWith));
  } finally {
    lock.release();
  }
}

/** The script of the npm that runs us, which need not be the one on the PATH. */
function findNpm() {
  const script = process.env.npm_execpath;
  return script && /npm-cli\.c?js$/.test(script) ? script : undefined;
}

/** Waits until no other command of this checkout installs or compiles. */
async function waitForLock() {
  for (let hasSaidSo = false; ; await new Promise((wake) => setTimeout(wake, 100))) {
    try {
      // In dist/, which unlike node_modules is never removed as a whole.
      return takeLock(join(ROOT, 'dist/.lock'));
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      if (!hasSaidSo)
        process.stderr.write(`Waiting for process ${error.holder.pid}, which installs or compiles…\n`);
      hasSaidSo = true;
    }
  }
}

/**
 * @param {string} what
 * @param {() => Promise<void>} work
 */
async function report(what, work) {
  const startedAt = Date.now();
  process.stderr.write(`${what}…\n`);
  await work();
  process.stderr.write(`${what}: done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`);
}

run(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
});
