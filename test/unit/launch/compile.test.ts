import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compile, isCompiled } from '../../../src/launch/compile.mjs';

let root: string;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'switchboard-compile-'));
  mkdirSync(join(root, 'node_modules'));
  symlinkSync(resolve('node_modules/typescript'), join(root, 'node_modules/typescript'));
  write('package.json', '{ "type": "module" }');
  write(
    'tsconfig.json',
    '{ "compilerOptions": { "outDir": "dist", "rootDir": "." }, "include": ["src", "workers"] }',
  );
  write('src/answer.ts', 'export const answer: number = 42;\n');
  write('workers/main.ts', 'export {};\n');
  await compile(root, () => {});
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

test('compiles the sources, and then has nothing to do', () => {
  expect(readFileSync(join(root, 'dist/src/answer.js'), 'utf8')).toContain('42');
  expect(isCompiled(root)).toBe(true);
});

test('a changed source is to be compiled', () => {
  write('src/answer.ts', 'export const answer: number = 43;\n');
  expect(isCompiled(root)).toBe(false);
});

test('a new source is to be compiled', () => {
  write('workers/sandbox/new.ts', 'export {};\n');
  expect(isCompiled(root)).toBe(false);
});

test('a removed source is to be compiled', () => {
  rmSync(join(root, 'workers/main.ts'));
  expect(isCompiled(root)).toBe(false);
});

test('an older source, as another commit has it, is to be compiled', () => {
  utimesSync(join(root, 'src/answer.ts'), 1, 1);
  expect(isCompiled(root)).toBe(false);
});

test('sources that do not compile are not taken for compiled', async () => {
  write('src/answer.ts', 'export const answer = ;\n');
  await expect(compile(root, () => {})).rejects.toThrow('do not compile');
  expect(isCompiled(root)).toBe(false);
});

test('without a compiler, what is there is taken', () => {
  rmSync(join(root, 'node_modules/typescript'));
  rmSync(join(root, 'src'), { recursive: true });
  expect(isCompiled(root)).toBe(true);
  rmSync(join(root, 'dist'), { recursive: true });
  expect(isCompiled(root)).toBe(false);
});
