import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { ONE_REQUEST_MS } from '../../../src/run-process.ts';
import { eventually } from '../../support/eventually.ts';

// A process that starts on a busy machine takes long.
const PATIENCE = { timeoutMs: 60_000 };

const MODULE = JSON.stringify(join(import.meta.dirname, '../../../src/run-process.ts'));
// Its closing takes a moment, as with calls under way.
const PROGRAM = `
  const { runProcess } = await import(${MODULE});
  await runProcess('test', async () => {
    setTimeout(() => console.log('up'), 1);
    setInterval(() => {}, 1_000);
    return { close: () => new Promise((resolve) => setTimeout(resolve, 3_000)) };
  });`;

const LISTEN = JSON.stringify(join(import.meta.dirname, '../../../src/launch/listen-for-stop.ts'));
// As `npm start` listens.
const LISTENER = `
  const { listenForStop } = await import(${LISTEN});
  const { requested } = listenForStop(() => { console.log('insisted'); process.exit(1); });
  console.log('up');
  setInterval(() => {}, 1_000);
  await requested;
  console.log('stopping');
  setTimeout(() => { console.log('stopped'); process.exit(0); }, 3_000);`;

/** Runs the program, with a supervisor or without one, and sends it SIGTERM twice, the second time after some ms. */
async function stopTwice(
  afterMs: number,
  { isSupervised = false, program = PROGRAM } = {},
): Promise<{ code: number | null; said: string }> {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', program],
    { stdio: ['ignore', 'pipe', 'inherit', ...(isSupervised ? (['ipc'] as const) : [])] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout?.on('data', (chunk) => {
    said += chunk;
  });
  const ended = once(child, 'close');
  await eventually(() => said.includes('up'), PATIENCE);
  child.kill('SIGTERM');
  if (afterMs > 0) {
    await eventually(() => said.includes('stopping'));
    // A timer may be early by a little.
    await sleep(afterMs + 50);
  }
  // At once, another signal: the system would make one of two that are the same.
  child.kill(afterMs > 0 ? 'SIGTERM' : 'SIGINT');
  const [code] = await ended;
  return { code, said };
}

test.each([
  ['a process', PROGRAM],
  ['npm start', LISTENER],
])('a second SIGTERM ends %s at once', async (_, program) => {
  // Far longer than a machine stalls, and shorter than what a process that does not heed it may take.
  const slow = program.replace('3_000', '15_000');
  const { code, said } = await stopTwice(ONE_REQUEST_MS, { program: slow });
  expect(code).toBe(1);
  expect(said).not.toContain('stopped');
});

test.each([
  ['a process', PROGRAM],
  ['npm start', LISTENER],
])('a Ctrl-C that reaches %s from the terminal and from npm is one', async (_, program) => {
  const { code, said } = await stopTwice(0, { program });
  expect(code).toBe(0);
  expect(said).toContain('stopped');
});

test('a process whose terminal is closed finishes', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  const ended = once(child, 'close');
  await eventually(() => said.includes('up'), PATIENCE);
  child.kill('SIGHUP');
  expect(await ended).toEqual([0, null]);
  expect(said).toContain('stopped');
});

test('a process with a supervisor finishes, if both are told to end and so it is told twice', async () => {
  const { code, said } = await stopTwice(ONE_REQUEST_MS, { isSupervised: true });
  expect(code).toBe(0);
  expect(said).toContain('stopped');
});
