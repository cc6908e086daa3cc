import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';

const MODULE = JSON.stringify(join(import.meta.dirname, '../../../src/metrics/shared-port.ts'));

/** A program that starts a process on a shared port, which does what is given. */
function programOf(child: string): string {
  return `
  import cluster from 'node:cluster';
  const { collectOfAll } = await import(${MODULE});
  if (cluster.isPrimary) cluster.fork();
  else {
    cluster.worker.exitedAfterDisconnect = true;
    const collect = collectOfAll({ setDefaultLabels: () => undefined, metrics: async () => 'its own' });
    ${child}
    process.exit();
  }`;
}

// Its supervisor does not answer, and then is gone.
const PROGRAM = programOf(`
    const asked = collect();
    process.disconnect();
    console.log(await asked, 'and', await collect());`);

// Its supervisor is killed while it is busy, so that it has not heard of that when it asks.
const BUSY_PROGRAM = programOf(`
    const supervisor = process.ppid;
    process.kill(supervisor, 'SIGKILL');
    while (process.ppid === supervisor);
    console.log(await collect(), process.connected);`);

async function run(program: string): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'switchboard-metrics-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, 'program.mjs');
  writeFileSync(file, program);
  const child = spawn(process.execPath, ['--import', 'tsx', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = text(child.stdout);
  await once(child, 'exit', { signal: AbortSignal.timeout(90_000) });
  return said;
}

test('a process on a shared port gives its own metrics once its supervisor is gone', async () => {
  expect(await run(PROGRAM)).toBe('its own and its own\n');
});

test('and goes on when it asks a supervisor that has just died', async () => {
  expect(await run(BUSY_PROGRAM)).toBe('its own false\n');
});
