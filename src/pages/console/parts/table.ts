import { type Child, el } from '../../shared/dom.ts';
import { keepFocus } from './focus.ts';

export interface Column<Item> {
  name: string;
  isNumber?: boolean;
  cell: (item: Item) => Child | Child[];
}

const FOCUSABLE = 'a, button, input, select, summary';

interface Row<Item> {
  /** Always the newest, also for the handlers of cells that are not rendered again. */
  item: Item;
  cells: HTMLElement[];
  texts: string[];
  node: HTMLElement;
}

/** A table that renders only changed cells again: a button that is pressed, or that opened a dialog, stays where it is. */
export class Table<Item extends object> {
  readonly node: HTMLElement;
  private readonly columns: Column<Item>[];
  private readonly idOf: (item: Item) => string;
  private readonly body = el('tbody', { role: 'rowgroup' });
  private readonly empty: HTMLElement;
  private readonly table: HTMLElement;
  private rows = new Map<string, Row<Item>>();

  constructor(label: string, columns: Column<Item>[], idOf: (item: Item) => string, empty: string) {
    this.columns = columns;
    this.idOf = idOf;
    this.empty = el('p', { class: 'empty' }, empty);
    const heads = columns.map(({ name, isNumber }) =>
      el(
        'th',
        { scope: 'col', role: 'columnheader', class: isNumber ? 'number' : false },
        name || hidden('Actions'),
      ),
    );
    // The styles that stack cells on narrow screens remove the roles of the elements, so the roles are set explicitly.
    this.table = el(
      'table',
      { role: 'table', 'aria-label': label },
      el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, ...heads)),
      this.body,
    );
    this.node = el('div', { class: 'table' }, this.table, this.empty);
    this.show([]);
  }

  show(items: Item[]): void {
    const focused = this.focused();
    const known = this.rows;
    this.rows = new Map(
      items.map((item) => [this.idOf(item), this.rowOf(item, known.get(this.idOf(item)))] as const),
    );
    for (const [id, { node }] of known) if (!this.rows.has(id)) node.remove();
    for (const [i, { node }] of [...this.rows.values()].entries())
      if (node !== this.body.children[i]) this.body.insertBefore(node, this.body.children[i] ?? null);
    this.table.hidden = items.length === 0;
    this.empty.hidden = items.length > 0;
    if (focused !== null) this.focus(focused);
  }

  say(empty: string): void {
    this.empty.textContent = empty;
  }

  private rowOf(item: Item, known?: Row<Item>): Row<Item> {
    const row = known ?? { item: { ...item }, cells: [], texts: [], node: el('tr', { role: 'row' }) };
    Object.assign(row.item, item);
    for (const [i, { name, isNumber, cell }] of this.columns.entries()) {
      const attributes = { role: 'cell', 'data-name': name, class: isNumber ? 'number' : false };
      const node = el('td', attributes, ...[cell(row.item)].flat());
      const text = node.innerHTML;
      if (text === row.texts[i]) continue;
      if (row.cells[i] === undefined) row.node.append(node);
      else row.cells[i].replaceWith(node);
      row.cells[i] = node;
      row.texts[i] = text;
    }
    return row;
  }

  private focused(): { id: string; at: number } | null {
    const active = document.activeElement;
    for (const [id, { node }] of this.rows)
      if (active !== null && node.contains(active))
        return { id, at: [...node.querySelectorAll(FOCUSABLE)].indexOf(active) };
    return null;
  }

  private focus({ id, at }: { id: string; at: number }): void {
    const { node } = this.rows.get(id) ?? {};
    if (node?.contains(document.activeElement) !== true)
      node?.querySelectorAll<HTMLElement>(FOCUSABLE)[at]?.focus();
    keepFocus();
  }
}

/** A text for screen readers only. */
export function hidden(text: string): HTMLElement {
  return el('span', { class: 'hidden' }, text);
}
