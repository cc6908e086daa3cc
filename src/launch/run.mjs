#!/usr/bin/env node
// Runs Switchboard's commands, also on a fresh clone with nothing but Node and npm. So this file and its imports are plain JavaScript
// without packages.
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { loadDotEnv } from './load-dot-env.mjs';
import { prepare } from './prepare.mjs';
import { stopWithNpm } from './stop-with-npm.mjs';
import { pickParts, QUICK_PARTS, SLOW_PARTS } from './test-parts.mjs';

const HELP = `Switchboard (beta): a queue-backed gateway to messenger accounts

  npm start              everything on this machine: a private Redis (or REDIS_URL), the API and its workers
  npm run api            one API process, or SWITCHBOARD_API_PROCESSES on one port, against REDIS_URL
  npm run worker         one worker process, against REDIS_URL
  npm test               the tests to run before each commit: ${QUICK_PARTS.join(', ')}
  npm run test:rest      the tests that take longer: ${SLOW_PARTS.join(', ')}
  npm run test:all       both
                         npm test -- <words> runs the files whose path contains them, of all parts;
                         npm test -- --project <part> runs one part
  npm run bench          what it achieves beside the usual design; npm run bench -- --help lists the scenarios
  npm run switchboard    the command line: npm run --silent switchboard -- --help
  npm run torture        kills, pauses and cuts off what there is under load, and checks what was promised; npm run torture -- --help

Each installs the packages and compiles the sources first if that has to be done.
Settings are environment variables, or lines of a file named .env; .env.example lists them.
`;

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

const VITEST = 'node_modules/vitest/vitest.mjs';

/** @type {Record<string, { file: string, args?: (given: string[]) => string[], readsDotEnv?: boolean, isTypeScript?: boolean }>} */
const COMMANDS = {
  start: { file: 'dist/src/launch/start.js', readsDotEnv: true },
  api: { file: 'dist/src/launch/api.js', readsDotEnv: true },
  worker: { file: 'dist/workers/main.js', readsDotEnv: true },
  test: { file: VITEST, args: (given) => ['run', ...pickParts(QUICK_PARTS, given)] },
  'test:rest': { file: VITEST, args: (given) => ['run', ...pickParts(SLOW_PARTS, given)] },
  'test:all': { file: VITEST, args: (given) => ['run', ...given] },
  bench: { file: 'test/bench/main.ts', isTypeScript: true },
  torture: { file: 'test/torture/main.ts', isTypeScript: true },
};

/** @param {string[]} argv */
async function run([name = '--help', ...args]) {
  assertNodeIsNewEnough();
  const command = COMMANDS[name];
  if (!command || (args.includes('--help') && !command.isTypeScript)) {
    process.stdout.write(HELP);
    process.exitCode = command || name === '--help' ? 0 : 1;
    return;
  }
  process.chdir(ROOT);
  stopWithNpm(process.env.npm_lifecycle_event);
  if (command.readsDotEnv) loadDotEnv();
  await prepare(ROOT);
  const file = join(ROOT, command.file);
  // In this process, so that signals and exit codes need no forwarding.
  process.argv = [process.execPath, file, ...(command.args?.(args) ?? args)];
  if (command.isTypeScript) (await import('tsx/esm/api')).register();
  await import(pathToFileURL(file).href);
}

function assertNodeIsNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Error(`Switchboard needs Node 20.19 or newer; this is ${process.versions.node}.`);
}

run(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
});
