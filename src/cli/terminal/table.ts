import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';

const GAP = '  ';
const NARROWEST = 20;
const NO_LINES = Object.fromEntries(
  [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
    'left',
    'left-mid',
    'mid',
    'mid-mid',
    'right',
    'right-mid',
  ].map((place) => [place, '']),
);

/** A table without lines. With a width, its last column is cut to fit into it. */
export function formatTable(titles: string[] | null, rows: string[][], width?: number): string {
  const all = titles === null ? rows : [titles, ...rows];
  const widths = (all[0] ?? [])
    .slice(0, -1)
    .map((_, place) => Math.max(...all.map((row) => stripVTControlCharacters(row[place] ?? '').length)));
  const before = widths.reduce((sum, each) => sum + each + GAP.length, 0);
  const room = width === undefined ? null : Math.max(NARROWEST, width - before - 1);
  const table = new Table({
    chars: { ...NO_LINES, middle: GAP },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: [...widths.map(() => null), room],
  });
  table.push(...all);
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
