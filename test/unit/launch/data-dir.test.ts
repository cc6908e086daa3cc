import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { explainDataDir, makeDataDir } from '../../../src/launch/data-dir/make-data-dir.ts';
import { StartError } from '../../../src/run-process.ts';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'switchboard-data-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('makes the folders above it too, closed to other users', () => {
  makeDataDir(join(dir, 'a/b'));
  makeDataDir(join(dir, 'a/b'));
  expect(statSync(join(dir, 'a/b')).mode & 0o777).toBe(0o700);
});

test.each(['/proc/switchboard', '/proc/switchboard/data', 'file', 'file/data'])(
  'a folder that cannot be made is refused at once: %s',
  (name) => {
    writeFileSync(join(dir, 'file'), '');
    const wrong = name.startsWith('/') ? name : join(dir, name);
    expect(() => makeDataDir(wrong)).toThrow(StartError);
    expect(() => makeDataDir(wrong)).toThrow(`The data folder ${wrong} cannot be used (E`);
  },
);

test('so is one below a folder to which a symbolic link leads', () => {
  const link = join(dir, 'link');
  mkdirSync(join(dir, 'real'));
  symlinkSync(join(dir, 'real'), link);
  const closed = Object.assign(new Error(), {
    code: 'EACCES',
    syscall: 'open',
    path: join(dir, 'real/redis/lock.1'),
  });
  expect(String(explainDataDir(closed, link))).toContain(`The data folder ${link} cannot be used (EACCES)`);
});

test('a file of it that cannot be written is explained, and other errors are not', () => {
  const fault = (facts: object) => Object.assign(new Error('fault'), facts);
  const full = fault({ code: 'ENOSPC', syscall: 'write' });
  expect(explainDataDir(full, dir)).toEqual(
    new StartError(`The data folder ${dir} cannot be used (ENOSPC): make room on its disk.`),
  );
  const closed = fault({ code: 'EROFS', syscall: 'open', path: join(dir, 'lock.1') });
  expect(String(explainDataDir(closed, dir))).toContain('(EROFS): set SWITCHBOARD_DATA_DIR');
  for (const other of [
    fault({}),
    fault({ code: 'ECONNREFUSED', syscall: 'connect' }),
    fault({ code: 'ENOENT', syscall: 'spawn redis-server', path: 'redis-server' }),
  ])
    expect(explainDataDir(other, dir)).toBe(other);
});
