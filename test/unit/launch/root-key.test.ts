import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { loadRootKey } from '../../../src/launch/root-key.ts';
import { StartError } from '../../../src/run-process.ts';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'switchboard-key-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

const load = (settings = {}) => loadRootKey(readConfig({ SWITCHBOARD_DATA_DIR: dir, ...settings }));

test('the root key is the one of the setting, else that of the file, which the first start makes', () => {
  const { key, file } = load();
  expect(load()).toEqual({ key, file });
  expect(load({ SWITCHBOARD_ROOT_KEY: 'a-key-of-the-setting' }).key).toBe('a-key-of-the-setting');
  expect(readFileSync(file, 'utf8')).toBe('a-key-of-the-setting\n');
  expect(load().key).toBe('a-key-of-the-setting');
});

test.each(['short', 'one-key-of-the-file\nand-another-key', 'key with spaces in it'])(
  'a file that holds %j is named, as it is no root key',
  (text) => {
    writeFileSync(join(dir, 'root-key'), text);
    expect(() => load()).toThrow(StartError);
    expect(() => load()).toThrow(`The file ${join(dir, 'root-key')} holds no root key: `);
    expect(load({ SWITCHBOARD_ROOT_KEY: 'a-key-of-the-setting' }).key).toBe('a-key-of-the-setting');
  },
);
