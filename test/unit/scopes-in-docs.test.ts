import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { SCOPES } from '../../src/directory/scopes.ts';

it('docs/keys.md says what each scope allows, and names no other', () => {
  const page = readFileSync(fileURLToPath(new URL('../../docs/keys.md', import.meta.url)), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+:\w+|operate)` \| \S/gm)].map(([, scope]) => scope);
  expect(rows).toEqual(Object.keys(SCOPES));
});
