import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { methods } from '../../../workers/sandbox/methods.ts';
import { METHODS_TABLE, renderMethodsTable } from '../../support/sandbox/methods-table.ts';

it('workers/sandbox/methods.ts has the files of methods/; npm run docs writes it anew', () => {
  expect(readFileSync(METHODS_TABLE, 'utf8')).toBe(renderMethodsTable());
});

it('every method stands under its own name', () => {
  expect(Object.values(methods).map(({ name }) => name)).toEqual(Object.keys(methods));
});
