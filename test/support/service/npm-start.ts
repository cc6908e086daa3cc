import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { isPortFree } from '../free-port.ts';
import { Checkout, type NpmRun } from './checkout.ts';

const run = promisify(execFile);

// A command that hangs is said, or pasted again.
const PASTED_MS = 20_000;

/** The checkout of the test, in which nothing has been started yet. */
export let checkout: Checkout;

/** Opens a checkout of its own for each test of a file. */
export function useCheckout(): void {
  beforeEach(() => {
    checkout = new Checkout();
  });
  afterEach(() => checkout.remove());
}

/** Pastes a command into a shell in the checkout. */
export async function paste(command = ''): Promise<{
  result?: { _: string };
  txid?: number;
  data?: { id: string; name: string }[];
}> {
  const { stdout } = await run('bash', ['-c', command], { cwd: checkout.dir, timeout: PASTED_MS });
  return JSON.parse(stdout);
}

/** Pastes a call again and again until it is answered: something it needs is started again. */
export function pasteUntilAnswered(command: string | undefined): Promise<void> {
  return vi.waitFor(async () => expect((await paste(command)).txid).toBeGreaterThan(0), 60_000);
}

/** Pastes the stream's command and gives what it shows until `text` is there. */
export async function follow(command: string | undefined, text: string): Promise<string> {
  const shell = spawn('bash', ['-c', `exec ${command}`], { cwd: checkout.dir });
  let shown = '';
  shell.stdout.on('data', (chunk) => {
    shown += chunk;
  });
  try {
    await vi.waitFor(() => expect(shown).toContain(text), 30_000);
    return shown;
  } finally {
    shell.kill();
    await once(shell, 'close');
  }
}

/** Runs `npm start`, until it has printed what can be done. */
export async function start(settings: Record<string, string> = {}): Promise<NpmRun> {
  const started = await checkout.start(settings);
  await started.untilPrinted();
  return started;
}

/** Presses Ctrl-C; when npm is back, nothing of it may be left. */
export async function stop(started: NpmRun): Promise<void> {
  started.pressCtrlC();
  await started.exited;
  expect(checkout.processes()).toEqual([]);
  expect(await isPortFree(started.port)).toBe(true);
  expect(sentences(started)).toEqual(['Stopping…']);
}

/** What it says on standard error, without npm's own lines and those about what takes time. */
export function sentences({ stderr }: NpmRun): string[] {
  return stderr
    .split('\n')
    .filter((line) => line !== '' && !/^(npm|Compiling|Installing|Waiting for process) /.test(line));
}
