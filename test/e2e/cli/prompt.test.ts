import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { Cli } from '../../support/service/cli.ts';

const BIN = fileURLToPath(new URL('../../../src/cli/bin.mjs', import.meta.url));

it.each([
  ['Ctrl-C', '\x03'],
  ['Ctrl-D', '\x04'],
  ['Enter', '\r'],
])('%s instead of a key ends a login in a sentence', async (_, pressed) => {
  const user = new Cli();
  const command = `${process.execPath} ${BIN} login http://127.0.0.1:9`;
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: user.folder, env: user.env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  const ended = once(child, 'close');
  await eventually(() => said.includes('not shown'), { timeoutMs: 60_000 });
  child.stdin.write(pressed);
  expect(await ended).toEqual([2, null]);
  expect(said).toMatch(/not shown\): \r\n\S*No key was given\.\S*\r\n$/);
});

it('a login whose standard input does not end says what it waits for', async () => {
  const user = new Cli({ SWITCHBOARD_KEY: 'unused' });
  const args = [BIN, 'login', 'http://127.0.0.1:9'];
  const child = spawn(process.execPath, args, { cwd: user.folder, env: user.env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const ended = once(child, 'close');
  await eventually(() => said.includes('standard input, which has not ended yet'), { timeoutMs: 60_000 });
  child.stdin.end('“sb_1”');
  expect(await ended).toEqual([2, null]);
  expect(said).toContain('The key is no API key');
});
