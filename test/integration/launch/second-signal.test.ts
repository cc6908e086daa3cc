import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';

const MODULE = JSON.stringify(join(import.meta.dirname, '../../../src/run-process.ts'));
// Its closing takes a moment, as with calls under way.
const PROGRAM = `
  const { runProcess } = await import(${MODULE});
  await runProcess('test', async () => {
    setTimeout(() => console.log('up'), 1);
    setInterval(() => {}, 1_000);
    return { close: () => new Promise((resolve) => setTimeout(resolve, 500)) };
  });`;

/** Runs the program, with a supervisor or without one, and sends it SIGTERM twice. */
async function stopTwice(isSupervised: boolean): Promise<{ code: number | null; said: string }> {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', PROGRAM],
    { stdio: ['ignore', 'pipe', 'inherit', ...(isSupervised ? (['ipc'] as const) : [])] },
  );
  let said = '';
  child.stdout?.on('data', (chunk) => {
    said += chunk;
  });
  const ended = once(child, 'close');
  await eventually(() => said.includes('up'));
  child.kill('SIGTERM');
  await eventually(() => said.includes('stopping'));
  child.kill('SIGTERM');
  const [code] = await ended;
  return { code, said };
}

test('a second SIGTERM ends a process at once', async () => {
  const { code, said } = await stopTwice(false);
  expect(code).toBe(1);
  expect(said).not.toContain('stopped');
});

test('a process with a supervisor finishes, if both are told to end and so it is told twice', async () => {
  const { code, said } = await stopTwice(true);
  expect(code).toBe(0);
  expect(said).toContain('stopped');
});
