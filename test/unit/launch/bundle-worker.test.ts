import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleWorker } from '../../../src/launch/bundle-worker.mjs';

const root = mkdtempSync(join(tmpdir(), 'switchboard-bundle-'));

const FILES = {
  'package.json': '{ "type": "module" }',
  'node_modules/old/package.json':
    '{ "name": "old", "version": "1.2.3", "license": "MIT", "main": "main.cjs" }',
  'node_modules/old/main.cjs': `exports.join = require('node:path').posix.join;`,
  'node_modules/old/LICENSE': 'Permission is hereby granted.',
  'node_modules/marked/package.json': '{ "name": "marked", "type": "module", "exports": "./main.js" }',
  'node_modules/marked/main.js': 'export const marked = {};',
  'dist/src/guard-event-loop.js': 'export const url = import.meta.url;',
  'dist/src/state/commit-script.js': 'export const commitScript = {};',
  'dist/workers/box.js': `export const box = []; import '../src/state/commit-script.js';`,
  'dist/workers/sandbox/methods.js': `
    import { box } from '../box.js';
    export const methods = { put: (what) => box.push(what) };`,
  'dist/workers/async-calls/lone-main.js': `
    import { box } from '../box.js';
    export { box };`,
  'dist/workers/main.js': `
    import { join } from 'old';
    import { commitScript } from '../src/state/commit-script.js';
    import { url } from '../src/guard-event-loop.js';
    import { box } from './box.js';
    import { methods } from './sandbox/methods.js';
    export { box, commitScript, join, methods, url };
    export const read = () => import('marked');`,
};

beforeAll(async () => {
  for (const [file, text] of Object.entries(FILES)) {
    const path = join(root, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  writeFileSync(join(root, 'dist/workers/chunk-OLD.js'), '');
  await bundleWorker(root);
  rmSync(join(root, 'dist/workers/box.js'));
  rmSync(join(root, 'node_modules/old/main.cjs'));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

function load(file: string) {
  return import(pathToFileURL(join(root, file)).href);
}

test('a worker needs neither its other files nor its packages, also those in CommonJS', async () => {
  const { join: joined } = await load('dist/workers/main.js');
  expect(joined('a', 'b')).toBe('a/b');
});

test('what processes and preloads load is the same for all of them', async () => {
  const { box, commitScript, methods } = await load('dist/workers/main.js');
  expect((await load('dist/workers/methods.js')).methods).toBe(methods);
  expect((await load('dist/workers/commit-script.js')).commitScript).toBe(commitScript);
  methods.put('a letter');
  expect(box).toEqual(['a letter']);
  expect((await load('dist/workers/lone-main.js')).box).toBe(box);
});

test('a file that a thread runs stays a file of its own', async () => {
  const { url } = await load('dist/workers/main.js');
  expect(url).toBe(pathToFileURL(join(root, 'dist/src/guard-event-loop.js')).href);
});

test('a package that is seldom needed is loaded from its folder', async () => {
  const { read } = await load('dist/workers/main.js');
  expect((await read()).marked).toBe((await load('node_modules/marked/main.js')).marked);
});

test('the licences of the packages inside are beside it, and no others', () => {
  const text = readFileSync(join(root, 'dist/workers/licences.txt'), 'utf8');
  expect(text).toContain('old 1.2.3 (MIT)\n\nPermission is hereby granted.');
  expect(text).not.toContain('marked');
});

test('what an earlier run has made and nobody needs is removed', () => {
  expect(existsSync(join(root, 'dist/workers/chunk-OLD.js'))).toBe(false);
  expect(readdirSync(join(root, 'dist/workers')).some((file) => file.startsWith('chunk-'))).toBe(true);
});

test('without workers there is nothing to do', async () => {
  await expect(bundleWorker(join(root, 'nowhere'))).resolves.toBeUndefined();
});
