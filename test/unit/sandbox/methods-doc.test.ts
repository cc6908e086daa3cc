import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  DIFFERENCES,
  METHODS_DOC,
  renderDifferences,
  renderMethodsDoc,
} from '../../support/sandbox/methods-doc.ts';

it('docs/methods.md says what is executed now; npm run docs writes it anew', () => {
  expect(readFileSync(METHODS_DOC, 'utf8')).toBe(renderMethodsDoc());
});

it('the API says where methods differ now; npm run docs writes it anew', () => {
  expect(readFileSync(DIFFERENCES, 'utf8')).toBe(renderDifferences());
});
