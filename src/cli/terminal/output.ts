import { styleText } from 'node:util';
import { reportLostOutput } from './failures.ts';
import { formatTable } from './table.ts';
import { visible, visibleJson, visibleLine } from './visible.ts';

/** A column of a list: its title, and the value that it shows of an item. */
export type Column<Item> = readonly [title: string, show: (item: Item) => unknown];

type Style = Parameters<typeof styleText>[0];

/** The output of a command: tables on a terminal, lines with tabs elsewhere, JSON on request. */
export class Output {
  readonly isJson: boolean;
  readonly isTerminal = process.stdout.isTTY === true;
  /** Whether the last line was written, once that is known. */
  written = Promise.resolve(true);
  /** What the command has still to do, as a sentence that it is not done: said if the output is lost, which ends the command. */
  undone: string | null = null;
  private hasHead = false;

  constructor(isJson: boolean) {
    this.isJson = isJson;
  }

  /** A value as JSON: indented on a terminal, else on one line. */
  json(value: unknown): void {
    const isIndented = this.isTerminal && !this.isJson;
    this.line(visibleJson(value, isIndented ? 2 : undefined));
  }

  /** A part of a list. Its columns are as wide as this part needs; the titles come once. */
  rows<Item>(items: readonly Item[], columns: readonly Column<Item>[]): void {
    if (this.isJson) {
      for (const item of items) this.json(item);
      return;
    }
    const cells = items.map((item) => columns.map(([, show]) => visibleLine(textOf(show(item)))));
    if (!this.isTerminal) {
      for (const row of cells) this.line(row.join('\t'));
      return;
    }
    const titles = this.hasHead ? null : columns.map(([title]) => this.style(['bold', 'dim'], title));
    this.hasHead = true;
    if (cells.length > 0 || titles !== null) this.line(formatTable(titles, cells, process.stdout.columns));
  }

  /** The members of one thing. */
  record(members: object): void {
    if (this.isJson) {
      this.json(members);
      return;
    }
    const rows = Object.entries(members).map(([name, value]): [string, string] => [
      name,
      visibleLine(textOf(value)),
    ]);
    if (this.isTerminal) {
      const styled = rows.map(([name, text]) => [this.style('bold', name), text]);
      this.line(formatTable(null, styled));
    } else for (const row of rows) this.line(row.join('\t'));
  }

  /** A line of text that is not data. It goes to standard error, and is left out with --json. */
  note(text: string): void {
    if (!this.isJson) process.stderr.write(`${visible(text)}\n`);
  }

  line(text: string): void {
    this.written = new Promise((settle) => {
      process.stdout.write(`${text}\n`, (error) => {
        if (error && this.undone !== null) process.exit(reportLostOutput(error, this.undone));
        settle(!error);
      });
    });
  }

  /** A text with a style, on a terminal with colours. */
  style(style: Style, text: string): string {
    return styleText(style, text, { stream: process.stdout });
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
