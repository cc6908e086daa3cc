import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const page = readFileSync(fileURLToPath(new URL('../../docs/limits.md', import.meta.url)), 'utf8');
const tables = page.slice(page.indexOf('## Every bound'));
const rows = tables
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\|[-| ]+\|$/.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  .filter((cells) => cells.length === 4 && cells[0] !== 'what');

describe('docs/limits.md', () => {
  it('lists bounds', () => expect(rows.length).toBeGreaterThan(20));

  it.each(rows.map((cells) => [cells[0], cells[3]]))(
    'names the test that reaches the bound of %s',
    (_, test = '') => {
      const files = [...test.matchAll(/`([^`]+)`/g)].map(([, name]) => `../${name}.test.ts`);
      expect(files).not.toEqual([]);
      expect(files.filter((file) => !existsSync(fileURLToPath(new URL(file, import.meta.url))))).toEqual([]);
    },
  );
});
