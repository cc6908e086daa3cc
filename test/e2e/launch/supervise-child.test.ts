import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { identifyProcess } from '../../../src/launch/process-identity.mjs';
import { type SupervisedChild, superviseChild } from '../../../src/launch/processes/supervise-child.ts';

// A process that starts on a busy machine takes long.
const START_MS = 20_000;

let dir: string;
let pids: number[];
let crashes: {
  code: number | null;
  signal: string | null;
  restartMs: number;
}[];
let child: SupervisedChild | null;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'switchboard-supervise-'));
  [pids, crashes, child] = [[], [], null];
});

afterEach(async () => {
  child?.kill();
  await child?.stop(0);
  rmSync(dir, { recursive: true, force: true });
});

/** Supervises a program; it has `note(text)`, which appends to the file that `notes()` reads. */
function supervise(program: string, env = process.env): SupervisedChild {
  const module = join(dir, 'program.mjs');
  const note = `import { appendFileSync } from 'node:fs'; const note = (text) => appendFileSync(${JSON.stringify(notesFile())}, text + '\\n');`;
  writeFileSync(module, `${note}\n${program}`);
  child = superviseChild({
    module,
    env,
    mayPrint: new Promise(() => {}),
    onSpawn: (pid) => pids.push(pid),
    onCrash: (how) => crashes.push(how),
  });
  return child;
}

function notesFile(): string {
  return join(dir, 'notes');
}

function notes(): string[] {
  return existsSync(notesFile()) ? readFileSync(notesFile(), 'utf8').trim().split('\n') : [];
}

test('starts a killed process again within a tenth of a second', async () => {
  supervise("note('up'); setInterval(() => {}, 1000);");
  await vi.waitFor(() => expect(notes()).toHaveLength(1), START_MS);
  const [pid] = pids;
  if (pid === undefined) throw new Error('nothing was started');
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(notes()).toHaveLength(2), START_MS);
  expect(crashes).toEqual([{ code: null, signal: 'SIGKILL', restartMs: 50 }]);
  expect(identifyProcess(pid)).toBeNull();
});

test('waits longer each time for one that crashes again and again', async () => {
  supervise('process.exit(3);');
  await vi.waitFor(() => expect(crashes.length).toBeGreaterThanOrEqual(4), START_MS);
  expect(crashes.slice(0, 4).map(({ code, restartMs }) => [code, restartMs])).toEqual([
    [3, 50],
    [3, 100],
    [3, 200],
    [3, 400],
  ]);
});

test('does so too where the clock of the machine is set ahead again and again', async () => {
  let at = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => {
    at += 3_600_000;
    return at;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  supervise('process.exit(3);');
  await vi.waitFor(() => expect(crashes.length).toBeGreaterThanOrEqual(3), START_MS);
  expect(crashes.slice(0, 3).map(({ restartMs }) => restartMs)).toEqual([50, 100, 200]);
});

test('starts a process that could not be started, as with more settings than a process may have, once it can be', async () => {
  const env: NodeJS.ProcessEnv = { ...process.env, HUGE: 'x'.repeat(200_000) };
  supervise("note('up'); setInterval(() => {}, 1000);", env);
  await vi.waitFor(() => expect(crashes.length).toBeGreaterThan(1), START_MS);
  expect(crashes[0]).toEqual({ code: null, signal: null, reason: 'spawn E2BIG', restartMs: 50 });
  delete env.HUGE;
  await vi.waitFor(() => expect(notes()).toEqual(['up']), START_MS);
});

test('asks a process to finish, and does not start it again', async () => {
  const { stop } = supervise(
    "process.on('SIGTERM', () => { note('finished'); process.exit(0); }); note('up'); setInterval(() => {}, 1000);",
  );
  await vi.waitFor(() => expect(notes()).toEqual(['up']), START_MS);
  await stop(5_000);
  expect(notes()).toEqual(['up', 'finished']);
  await sleep(100);
  expect(pids).toHaveLength(1);
  expect(crashes).toEqual([]);
});

test('kills a process that does not finish in time', async () => {
  const { stop } = supervise("process.on('SIGTERM', () => {}); note('up'); setInterval(() => {}, 1000);");
  await vi.waitFor(() => expect(notes()).toEqual(['up']), START_MS);
  await stop(100);
  expect(identifyProcess(pids[0] ?? 0)).toBeNull();
});

test('stops between two starts without waiting for the next', async () => {
  const { stop } = supervise('process.exit(3);');
  await vi.waitFor(() => expect(crashes.length).toBe(5), START_MS);
  const started = pids.length;
  await stop(5_000);
  expect(pids).toHaveLength(started);
});

test('what a process prints is read on when nobody reads it any more, as after `| head`', async () => {
  const module = join(dir, 'program.mjs');
  const supervisor = join(dir, 'supervisor.mjs');
  const compiled = pathToFileURL('dist/src/launch/processes/supervise-child.js').href;
  // Like a log, its output is synchronous: the process stands still while nobody takes it.
  writeFileSync(
    module,
    `import { writeFileSync, writeSync } from 'node:fs';
    const print = (lines) => { for (let n = 0; n < lines; n += 1) writeSync(1, 'x'.repeat(99) + '\\n'); };
    process.on('message', () => undefined);
    process.on('SIGUSR2', () => { print(10_000); writeFileSync(${JSON.stringify(notesFile())}, 'printed'); });
    print(1);`,
  );
  writeFileSync(
    supervisor,
    `import { superviseChild } from ${JSON.stringify(compiled)};
    process.stdout.on('error', () => undefined);
    const child = superviseChild({
      module: ${JSON.stringify(module)}, env: process.env, mayPrint: Promise.resolve(), onCrash: () => undefined,
    });
    process.on('SIGUSR2', () => process.kill(child.pid, 'SIGUSR2'));`,
  );
  const running = spawn(process.execPath, [supervisor], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void running.kill('SIGKILL'));
  await once(running.stdout, 'data');
  running.stdout.destroy();
  running.kill('SIGUSR2');
  await vi.waitFor(() => expect(notes()).toEqual(['printed']), START_MS);
});

test('a process on a shared port that cannot be started for want of files is started once there are some', async () => {
  const module = join(dir, 'program.mjs');
  const supervisor = join(dir, 'supervisor.mjs');
  const compiled = pathToFileURL('dist/src/launch/processes/supervise-child.js').href;
  writeFileSync(
    module,
    `import { appendFileSync } from 'node:fs';
    appendFileSync(${JSON.stringify(notesFile())}, 'up\\n');
    process.on('message', () => undefined);`,
  );
  writeFileSync(
    supervisor,
    `import { closeSync, openSync } from 'node:fs';
    import { superviseChild } from ${JSON.stringify(compiled)};
    const files = [];
    const child = superviseChild({
      module: ${JSON.stringify(module)}, number: 1, env: process.env, mayPrint: Promise.resolve(),
      onCrash({ code, signal }) {
        if (code === null && signal === null) for (const file of files.splice(0)) closeSync(file);
      },
    });
    process.on('SIGUSR2', () => {
      try {
        for (;;) files.push(openSync('/dev/null'));
      } catch {
        process.kill(child.pid, 'SIGKILL');
      }
    });`,
  );
  const running = spawn('sh', ['-c', 'ulimit -n 200; exec "$0" "$1"', process.execPath, supervisor], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  onTestFinished(() => void running.kill('SIGKILL'));
  await vi.waitFor(() => expect(notes()).toEqual(['up']), START_MS);
  running.kill('SIGUSR2');
  await vi.waitFor(() => expect(notes()).toEqual(['up', 'up']), START_MS);
  expect(running.exitCode).toBeNull();
});
