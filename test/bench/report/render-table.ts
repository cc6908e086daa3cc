import type { ReportTable } from './report.ts';

/** A table for the terminal. */
export function renderTable({ title, columns, rows }: ReportTable): string {
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const line = (cells: string[]) =>
    cells
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  ')
      .trimEnd();
  return [title, line(columns), ...rows.map(line)].join('\n');
}

/** A table in Markdown, without its title. */
export function renderMarkdownTable({ columns, rows }: Omit<ReportTable, 'title'>): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const rule = columns.map((_, index) => (index === 0 ? '---' : '---:'));
  return [line(columns), line(rule), ...rows.map(line)].join('\n');
}
