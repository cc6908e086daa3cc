import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleSandbox } from '../../../src/launch/bundle-sandbox.mjs';

const root = mkdtempSync(join(tmpdir(), 'switchboard-bundle-'));

const COMPILED = {
  'driver.js': 'export class MessengerError extends Error {}',
  'sandbox/model/box.js': 'export const box = [];',
  'sandbox/model/text/rich/read-markup.js': 'export const isLoaded = true;',
  'sandbox/methods.js': `
    import { MessengerError } from '../driver.js';
    import { box } from './model/box.js';
    export const methods = { put: (what) => box.push(what), refuse: () => new MessengerError() };`,
  'sandbox/sandbox-driver.js': `
    import { methods } from './methods.js';
    import { box } from './model/box.js';
    export const driver = { methods, box, read: () => import('./model/text/rich/read-markup.js') };`,
};

beforeAll(async () => {
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  for (const [file, text] of Object.entries(COMPILED)) {
    const path = join(root, 'dist/workers', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  await bundleSandbox(root);
  rmSync(join(root, 'dist/workers/sandbox/model/box.js'));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

function load(file: string) {
  return import(pathToFileURL(join(root, 'dist/workers', file)).href);
}

test('what the entries share is one module, and needs no file of its own', async () => {
  const { methods } = await load('sandbox/methods.js');
  const { driver } = await load('sandbox/sandbox-driver.js');
  expect(driver.methods).toBe(methods);
  methods.put('a letter');
  expect(driver.box).toEqual(['a letter']);
});

test('a module outside is the one that others know', async () => {
  const { methods } = await load('sandbox/methods.js');
  const { MessengerError } = await load('driver.js');
  expect(methods.refuse()).toBeInstanceOf(MessengerError);
});

test('what is kept apart is loaded from its own file', async () => {
  const { driver } = await load('sandbox/sandbox-driver.js');
  expect(await driver.read()).toBe(await load('sandbox/model/text/rich/read-markup.js'));
});

test('done again after the compiler, it is the same', async () => {
  await expect(bundleSandbox(root)).resolves.toBeUndefined();
});

test('without a sandbox there is nothing to do', async () => {
  await expect(bundleSandbox(join(root, 'nowhere'))).resolves.toBeUndefined();
});
