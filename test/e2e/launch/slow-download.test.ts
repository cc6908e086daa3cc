import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { identifyProcess } from '../../../src/launch/process-identity.mjs';
import { eventually } from '../../support/eventually.ts';

const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const MODULE = join(import.meta.dirname, '../../../src/launch/private-redis/private-redis.ts');
const PROGRAM = `
  const { startPrivateRedis } = await import(${JSON.stringify(pathToFileURL(MODULE).href)});
  const giving = new AbortController();
  process.on('SIGTERM', () => giving.abort());
  const report = (line) => console.log(line);
  await startPrivateRedis({ dataDir: 'data', report, signal: giving.signal }).catch((error) => console.log(error.name));`;

let dir: string;
let child: ChildProcess;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'switchboard-slow-download-'));
  const bin = join(dir, 'bin');
  await mkdir(bin);
  const noteAndWait = 'echo $$ > started; /bin/mv started apt-pid; exec /bin/sleep 600';
  const apt = `#!/bin/sh\n[ "$1" = --version ] && exit 0\n${noteAndWait}\n`;
  await writeFile(join(bin, 'apt-get'), apt, { mode: 0o755 });
  await writeFile(join(bin, 'dpkg-deb'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
});
afterEach(() => {
  child.kill('SIGKILL');
  return rm(dir, { recursive: true, force: true });
});

it('a start that downloads a Redis gives up at once when asked to, and ends the download', async () => {
  child = spawn(process.execPath, ['--import', TSX, '--input-type=module', '-e', PROGRAM], {
    cwd: dir,
    env: { ...process.env, PATH: join(dir, 'bin') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let isClosed = false;
  child.once('close', () => {
    isClosed = true;
  });
  let said = '';
  child.stdout?.on('data', (chunk) => {
    said += chunk;
  });
  // A process that starts on a busy machine takes long.
  await eventually(() => existsSync(join(dir, 'apt-pid')), { timeoutMs: 60_000 });
  const apt = Number(readFileSync(join(dir, 'apt-pid'), 'utf8'));
  try {
    child.kill('SIGTERM');
    await eventually(() => isClosed);
    expect(said.trim().split('\n')).toEqual([expect.stringContaining('fetching'), 'AbortError']);
    await eventually(() => identifyProcess(apt) === null);
  } finally {
    if (identifyProcess(apt) !== null) process.kill(apt, 'SIGKILL');
  }
});
