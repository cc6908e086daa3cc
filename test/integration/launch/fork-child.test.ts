import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { forkChild } from '../../../src/launch/processes/fork-child.ts';

test('a message to a process on a shared port that has just ended does no harm', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'switchboard-fork-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const module = join(dir, 'program.mjs');
  writeFileSync(module, `process.send('up'); process.on('message', () => undefined);`);
  const child = forkChild({ module, env: process.env, number: 1 });
  await once(child, 'message');
  child.kill('SIGKILL');
  // It ends, and this process cannot notice.
  const until = performance.now() + 500;
  while (performance.now() < until);
  expect(child.connected).toBe(true);
  child.send({});
  await once(child, 'exit');
});
