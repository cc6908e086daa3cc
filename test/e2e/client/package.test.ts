import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { blocksOf } from '../../support/docs/pages.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const STRICT = [
  '--noEmit',
  '--strict',
  '--exactOptionalPropertyTypes',
  '--target',
  'es2022',
  '--skipLibCheck',
];

let folder: string;

/** A program of somebody who has installed the package. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'switchboard-client-'));
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true });
  symlinkSync(ROOT, join(folder, 'node_modules/switchboard'));
  symlinkSync(join(ROOT, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd: folder }, (_, stdout, stderr) => resolve(stdout + stderr));
  });
}

function compile(code: string, ...options: string[]): Promise<string> {
  writeFileSync(join(folder, 'program.ts'), code);
  return run([TSC, ...STRICT, ...options, 'program.ts']);
}

it('what docs/client.md shows compiles, in Node and in a bundled page', async () => {
  const blocks = blocksOf('docs/client.md', 'ts');
  expect(blocks.length).toBeGreaterThan(5);
  const [{ compilerOptions }] = blocksOf('docs/client.md', 'json').map((block) => JSON.parse(block));
  const node = Object.entries(compilerOptions).flatMap(([name, value]) => [`--${name}`, String(value)]);
  expect(await compile(blocks.join('\n'), ...node)).toBe('');
  const page = ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom', '--types', ''];
  const forPages = blocks.filter((block) => !block.includes("'node:"));
  expect(await compile(forPages.join('\n'), ...page)).toBe('');
  expect(
    await compile(blocks.join('\n').replace('readMessageContents', 'readMesageContents'), ...node),
  ).toContain("Property 'readMesageContents' does not exist");
});

it('the programs of docs/examples are well typed', async () => {
  const programs = readdirSync(join(ROOT, 'docs/examples')).filter((name) => name.endsWith('.mjs'));
  expect(programs.length).toBeGreaterThan(5);
  const paths = programs.map((name) => join(ROOT, 'docs/examples', name));
  const options = ['--allowJs', '--checkJs', '--module', 'nodenext', '--types', 'node'];
  expect(await run([TSC, ...STRICT, ...options, ...paths])).toBe('');
});
