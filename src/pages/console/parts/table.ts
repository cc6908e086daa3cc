import { type Child, el } from '../../shared/dom.ts';

export interface Column<Item> {
  name: string;
  isNumber?: boolean;
  cell: (item: Item) => Child | Child[];
}

const FOCUSABLE = 'a, button, input, select, summary';

/** A table that renders only changed rows again, so that rows keep the focus. */
export class Table<Item> {
  readonly node: HTMLElement;
  private readonly columns: Column<Item>[];
  private readonly idOf: (item: Item) => string;
  private readonly body = el('tbody', { role: 'rowgroup' });
  private readonly empty: HTMLElement;
  private readonly table: HTMLElement;
  private rows = new Map<string, { text: string; node: HTMLElement }>();

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
    this.rows = new Map();
    for (const item of items) {
      const cells = this.columns.map(({ cell }) => [cell(item)].flat());
      const node = this.row(cells);
      const text = node.innerHTML;
      const before = known.get(this.idOf(item));
      this.rows.set(this.idOf(item), before?.text === text ? before : { text, node });
    }
    const nodes = [...this.rows.values()].map(({ node }) => node);
    const isSame =
      nodes.length === this.body.children.length && nodes.every((node, i) => node === this.body.children[i]);
    if (!isSame) this.body.replaceChildren(...nodes);
    this.table.hidden = items.length === 0;
    this.empty.hidden = items.length > 0;
    if (focused !== null && !isSame) this.focus(focused);
  }

  say(empty: string): void {
    this.empty.textContent = empty;
  }

  private row(cells: Child[][]): HTMLElement {
    return el(
      'tr',
      { role: 'row' },
      ...cells.map((children, i) => {
        const { name, isNumber } = this.columns[i] as Column<Item>;
        return el('td', { role: 'cell', 'data-name': name, class: isNumber ? 'number' : false }, ...children);
      }),
    );
  }

  private focused(): { id: string; at: number } | null {
    const active = document.activeElement;
    for (const [id, { node }] of this.rows)
      if (active !== null && node.contains(active))
        return { id, at: [...node.querySelectorAll(FOCUSABLE)].indexOf(active) };
    return null;
  }

  private focus({ id, at }: { id: string; at: number }): void {
    this.rows.get(id)?.node.querySelectorAll<HTMLElement>(FOCUSABLE)[at]?.focus();
  }
}

/** A text for screen readers only. */
export function hidden(text: string): HTMLElement {
  return el('span', { class: 'hidden' }, text);
}
