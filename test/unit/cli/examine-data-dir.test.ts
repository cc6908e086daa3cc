import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { examineDataDir } from '../../../src/cli/doctor/examine-data-dir.ts';

const MIB = 1024 * 1024;
const dir = mkdtempSync(join(tmpdir(), 'switchboard-doctor-'));

afterAll(() => rmSync(dir, { recursive: true, force: true }));

it.each([
  ['ok', 10_000, 5_000, 'its disk has 5000 MiB left'],
  ['warn', 10_000, 100, 'has only 100 MiB left'],
  ['fail', 10_000, 0, 'is full'],
  ['ok', 0, 0, 'can be written to.'],
])('says %s of a disk of %i MiB with %i MiB left', (level, size, free, found) => {
  const space = () => ({ size: size * MIB, free: free * MIB });
  expect([...examineDataDir(dir, space)]).toMatchObject([{ level, found: expect.stringContaining(found) }]);
});

it('says nothing of a folder that is not there, and what is wrong with one that is none', () => {
  expect([...examineDataDir(join(dir, 'none'))]).toEqual([]);
  const file = join(dir, 'file');
  writeFileSync(file, '');
  for (const folder of [file, join(file, 'below')])
    expect([...examineDataDir(folder)]).toMatchObject([
      { level: 'fail', found: expect.stringContaining('ENOTDIR'), mend: expect.stringContaining('DATA_DIR') },
    ]);
});

it('says it if the disk cannot be asked', () => {
  const broken = () => {
    throw Object.assign(new Error('i/o error'), { code: 'EIO' });
  };
  expect([...examineDataDir(dir, broken)]).toMatchObject([
    { level: 'fail', found: expect.stringContaining('(EIO)') },
  ]);
});
