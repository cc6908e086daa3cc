import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { methods } from '../../../workers/sandbox/methods.ts';
import { renderMethodsTables } from '../../support/sandbox/methods-table.ts';

const TESTS = ['integration/sandbox', 'e2e', 'stories'].map((folder) =>
  fileURLToPath(new URL(`../../${folder}`, import.meta.url)),
);

it('the tables of methods have the files of methods/; npm run docs writes them anew', () => {
  for (const [path, text] of renderMethodsTables()) expect(readFileSync(path, 'utf8')).toBe(text);
});

it('every method stands under its own name', () => {
  expect(Object.values(methods).map(({ name }) => name)).toEqual(Object.keys(methods));
});

it('every method is called by a test of its own', () => {
  const files = TESTS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  ).filter((file) => file.endsWith('.test.ts'));
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const untested = Object.keys(methods).filter(
    (name) => !text.includes(name) && !text.includes(`'${name.split('.')[1]}'`),
  );
  expect(untested).toEqual([]);
});
