import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { identifyProcess, isRunning } from '../../../src/launch/process-identity.mjs';
import { LockedError, takeLock } from '../../../src/launch/take-lock.mjs';

let dir: string;
let path: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'switchboard-lock-'));
  path = join(dir, 'lock');
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('is held until it is released, and says by whom', () => {
  const lock = takeLock(path, 'http://127.0.0.1:3000');
  expect(() => takeLock(path)).toThrow(LockedError);
  expect(() => takeLock(path)).toThrow(`${process.pid}`);
  expect(() => takeLock(path)).toThrow('http://127.0.0.1:3000');
  lock.release();
  takeLock(path).release();
  expect(readdirSync(dir)).toHaveLength(1);
});

test('of a folder that was copied is free, and stays held in the folder itself under every name', () => {
  takeLock(path);
  const [copy, link] = [`${dir}-copy`, `${dir}-link`];
  cpSync(dir, copy, { recursive: true });
  symlinkSync(dir, link);
  try {
    takeLock(join(copy, 'lock')).release();
    for (const held of [path, join(link, 'lock')]) expect(() => takeLock(held)).toThrow(LockedError);
  } finally {
    for (const folder of [copy, link]) rmSync(folder, { recursive: true, force: true });
  }
});

test('of a folder that was moved stays held, whatever has its name by now', () => {
  takeLock(path);
  const moved = `${dir}-moved`;
  renameSync(dir, moved);
  try {
    expect(() => takeLock(join(moved, 'lock'))).toThrow(LockedError);
    mkdirSync(dir);
    writeFileSync(`${path}.1`, JSON.stringify({ pid: 1, identities: ['1 1 none'], note: '' }));
    expect(() => takeLock(join(moved, 'lock'))).toThrow(LockedError);
  } finally {
    rmSync(moved, { recursive: true, force: true });
  }
});

test('is free again when its holder has been killed', async () => {
  const holder = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    script('setInterval(() => {}, 1000)'),
  ]);
  await once(holder.stdout, 'data');
  expect(() => takeLock(path)).toThrow(LockedError);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  takeLock(path).release();
});

test('stays held while a process runs that it was shared with', async () => {
  const heir = spawn('sleep', ['10']);
  const share = `lock.shareWith(${heir.pid}); process.kill(process.pid, 'SIGKILL');`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script(share, true)]);
  await once(holder, 'exit');
  expect(() => takeLock(path)).toThrow(LockedError);
  heir.kill('SIGKILL');
  await once(heir, 'exit');
  takeLock(path).release();
});

test('does not count a process that only has the number of a dead holder', () => {
  const identity = identifyProcess(process.pid)?.replace(/^(\d+) \d+/, '$1 1');
  writeFileSync(`${path}.7`, JSON.stringify({ pid: process.pid, identities: [identity], note: '' }));
  takeLock(path);
  expect(readdirSync(dir)).toEqual(['lock.8']);
});

test('is had by one process at a time, however many take it from holders that die', async () => {
  // Each writes a line when it has the lock and one before it lets go; half of them let go by dying.
  const log = join(dir, 'log');
  const work = `
    const { appendFileSync } = await import('node:fs');
    appendFileSync(${JSON.stringify(log)}, 'in\\n');
    await new Promise((done) => setTimeout(done, 5));
    appendFileSync(${JSON.stringify(log)}, 'out\\n');
    if (Math.random() < 0.5) process.kill(process.pid, 'SIGKILL');
    lock.release();`;
  const loop = `for (let turn = 0; turn < 8; turn++) { ${script(work, true)} }`;
  const processes = Array.from({ length: 12 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', loop], {
      stdio: 'inherit',
    }),
  );
  await Promise.all(processes.map((child) => once(child, 'exit')));
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  expect(lines.length).toBeGreaterThan(20);
  expect(lines.every((line, index) => line === (index % 2 === 0 ? 'in' : 'out'))).toBe(true);
});

test('tells a process that runs from one that has ended', async () => {
  const child = spawn('sleep', ['10']);
  const identity = identifyProcess(child.pid ?? 0) ?? '';
  expect(isRunning(identity)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isRunning(identity)).toBe(false);
  expect(identifyProcess(child.pid ?? 0)).toBeNull();
});

/** A script that takes the lock, waiting for it if asked to, says so, and goes on. */
function script(rest: string, waits = false): string {
  const module = JSON.stringify(join(import.meta.dirname, '../../../src/launch/take-lock.mjs'));
  const take = waits
    ? `let lock; while (!lock) try { lock = takeLock(${JSON.stringify(path)}) } catch (error) {
         if (error.name !== 'LockedError') throw error;
         await new Promise((wake) => setTimeout(wake, 1));
       }`
    : `takeLock(${JSON.stringify(path)}); console.log('taken');`;
  return `const { takeLock } = await import(${module}); ${take}; ${rest}`;
}
