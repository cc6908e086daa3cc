import { expect, it } from 'vitest';
import { formatTable } from '../../../src/cli/terminal/table.ts';

const NAME = '日本語のとても長い名前がここに入りますよね';

it('cuts no text that has room, however wide its characters are', () => {
  expect(formatTable(null, [['name', NAME]])).toBe(`name  ${NAME}`);
  expect(formatTable(['id', 'name'], [['acc_1', NAME]], 80)).toBe(`id     name\nacc_1  ${NAME}`);
});

it('cuts the last column where the terminal ends', () => {
  expect(formatTable(null, [['acc_1', 'x'.repeat(100)]], 40)).toBe(`acc_1  ${'x'.repeat(31)}…`);
});
