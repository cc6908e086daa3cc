import { el } from '../../shared/dom.ts';
import { type Api, type ApiError, withQuery } from '../api.ts';
import { Poller } from '../poller.ts';
import type { Page } from '../types.ts';
import { type Column, hidden, Table } from './table.ts';

const READ_MS = 5_000;
const ROWS = 50;

interface ListOptions<Item> {
  label: string;
  /** The identity of an item; its `id` by default. */
  idOf?: (item: Item) => string;
  /** Returns the path with its filters, once for each page; null if there is nothing to list. */
  path: () => string | null;
  columns: Column<Item>[];
  empty: string;
  /** If given, rows can be chosen, and each choice is reported. */
  onChoice?: (chosen: Item[]) => void;
}

/**
 * A list of the API, a page at a time. Its first page is refreshed regularly while no row is chosen, and a page that could not be read is
 * read again.
 */
export class List<Item extends object> {
  readonly node: HTMLElement;
  private readonly api: Api;
  private readonly options: ListOptions<Item>;
  private readonly idOf: (item: Item) => string;
  private readonly table: Table<Item>;
  private readonly note = el('p', { class: 'note', role: 'status' });
  private readonly previous = el(
    'button',
    { type: 'button', onclick: () => this.turn('endingBefore') },
    'Previous',
  );
  private readonly next = el('button', { type: 'button', onclick: () => this.turn('startingAfter') }, 'Next');
  private readonly all = el('input', { type: 'checkbox', 'aria-label': 'Choose all of this page' });
  private readonly poll: Poller;
  private readonly chosen = new Map<string, Item>();
  private page: Page<Item> | null = null;
  private cursor: Record<string, string> = {};
  private reads = 0;
  private hasFailed = false;

  constructor(api: Api, options: ListOptions<Item>) {
    this.api = api;
    this.options = options;
    this.idOf = options.idOf ?? ((item) => (item as Item & { id: string }).id);
    const { label, onChoice } = options;
    const choice: Column<Item>[] =
      onChoice === undefined ? [] : [{ name: '', cell: (item) => this.checkbox(item) }];
    this.table = new Table(label, [...choice, ...options.columns], this.idOf, 'Reading…');
    const head = this.table.node.querySelector('th');
    if (onChoice !== undefined) head?.replaceChildren(hidden('Chosen'), this.all);
    this.all.addEventListener('change', () => this.chooseAll(this.all.checked));
    const pages = el(
      'nav',
      { class: 'pages', 'aria-label': `Pages of ${label}` },
      this.note,
      this.previous,
      this.next,
    );
    this.node = el('div', { class: 'list' }, this.table.node, pages);
    this.poll = new Poller(READ_MS, async () => {
      const isFirst = Object.keys(this.cursor).length === 0;
      const isOpen = this.page === null || this.hasFailed;
      if (isOpen || (isFirst && this.chosen.size === 0)) await this.read();
    });
  }

  /** Reads the current page again. */
  async refresh(): Promise<void> {
    await this.read().catch(() => undefined);
  }

  /** Starts again with the first page, for example after a filter has changed. */
  restart(): void {
    this.cursor = {};
    this.chooseAll(false);
    void this.refresh();
  }

  stop(): void {
    this.poll.stop();
    this.reads += 1;
  }

  private async read(): Promise<void> {
    const { path, empty } = this.options;
    this.reads += 1;
    const own = this.reads;
    const wanted = path();
    try {
      const page = wanted === null ? EMPTY : await this.api.get<Page<Item>>(this.pathOf(wanted));
      if (own !== this.reads) return;
      this.page = page as Page<Item>;
      this.hasFailed = false;
      // There is nothing before it, so it is the first one again.
      if ('endingBefore' in this.cursor && page.cursors.previous === null) this.cursor = {};
      this.table.say(page.partial ? 'None has been found yet.' : empty);
      this.table.show(this.page.data);
      this.say(page.partial ? 'The search goes on with the next page.' : '');
    } catch (error) {
      if (own !== this.reads) return;
      const { message } = error as ApiError;
      this.hasFailed = true;
      if (this.page === null || this.page.data.length === 0) this.table.say('Nothing could be read.');
      this.say(message, true);
      throw error;
    } finally {
      if (own === this.reads) this.showPages();
    }
  }

  private pathOf(path: string): string {
    const [base = '', query] = path.split('?');
    return withQuery(base, {
      ...Object.fromEntries(new URLSearchParams(query)),
      limit: ROWS,
      ...this.cursor,
    });
  }

  private say(text: string, isFailure = false): void {
    if (this.note.textContent !== text) this.note.textContent = text;
    this.note.classList.toggle('failed', isFailure);
  }

  private showPages(): void {
    const { next = null, previous = null } = this.page?.cursors ?? {};
    this.next.disabled = next === null;
    this.previous.disabled = previous === null;
    this.next.hidden = this.previous.hidden = next === null && previous === null;
  }

  private turn(direction: 'startingAfter' | 'endingBefore'): void {
    const cursor = this.page?.cursors[direction === 'startingAfter' ? 'next' : 'previous'];
    if (typeof cursor !== 'string') return;
    this.cursor = { [direction]: cursor };
    this.chooseAll(false);
    void this.refresh();
  }

  private checkbox(item: Item): HTMLElement {
    const box = el('input', { type: 'checkbox', 'aria-label': `Choose ${this.idOf(item)}` });
    box.checked = this.chosen.has(this.idOf(item));
    box.addEventListener('change', () => {
      if (box.checked) this.chosen.set(this.idOf(item), item);
      else this.chosen.delete(this.idOf(item));
      this.all.checked = this.chosen.size === this.page?.data.length;
      this.options.onChoice?.([...this.chosen.values()]);
    });
    return box;
  }

  /** Chooses all rows of the page, or none. */
  private chooseAll(isChosen: boolean): void {
    this.chosen.clear();
    if (isChosen) for (const item of this.page?.data ?? []) this.chosen.set(this.idOf(item), item);
    this.all.checked = isChosen;
    for (const box of this.table.node.querySelectorAll<HTMLInputElement>('td input[type=checkbox]'))
      box.checked = isChosen;
    this.options.onChoice?.([...this.chosen.values()]);
  }
}

const EMPTY: Page<never> = { data: [], hasMore: false, cursors: { next: null, previous: null } };
