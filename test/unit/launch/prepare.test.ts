import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const PREPARE = pathToFileURL(resolve('src/launch/prepare.mjs')).href;

test('in production nothing is installed for development, whichever folder it is run in', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-prepare-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, 'root');
  mkdirSync(join(root, 'dist/src'), { recursive: true });
  mkdirSync(join(root, 'node_modules'));
  const fastify = { integrity: 'sha512-a' };
  const vitest = { integrity: 'sha512-b', dev: true };
  const write = (file: string, packages: object) =>
    writeFileSync(join(root, file), JSON.stringify({ packages }));
  write('package-lock.json', { 'node_modules/fastify': fastify, 'node_modules/vitest': vitest });
  write('node_modules/.package-lock.json', { 'node_modules/fastify': fastify });

  const program = `const { prepare } = await import('${PREPARE}'); await prepare(${JSON.stringify(root)});`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: folder,
    // Without npm.
    env: { NODE_ENV: 'production', PATH: '' },
  });
  await expect(run).resolves.toEqual({ stdout: '', stderr: '' });
});
