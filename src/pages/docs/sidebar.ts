import { byId, type Child, el } from '../shared/dom.ts';
import type { Operation, Reference } from './reference.ts';
import { search } from './search.ts';

/** The list of operations, with its search. */
export class Sidebar {
  private readonly reference: Reference;
  private readonly list = byId('list');
  private readonly input = byId<HTMLInputElement>('search');
  private readonly found = byId('found');
  private readonly menu = byId('menu');
  private readonly groups: HTMLElement;
  private current = '';

  constructor(reference: Reference) {
    this.reference = reference;
    this.groups = el('div', {}, ...this.groupList());
    this.input.addEventListener('input', () => this.showFound());
    this.input.addEventListener('keydown', (event) => this.onKey(event));
    this.list.addEventListener('keydown', (event) => this.onKey(event));
    document.addEventListener('keydown', (event) => this.onShortcut(event));
    this.showFound();
  }

  /** Marks the operation that is shown. */
  mark(id: string, group: string): void {
    this.current = id;
    // While a search is shown, the groups are not in the list.
    for (const link of [...this.groups.querySelectorAll('a'), ...this.list.querySelectorAll('a')]) {
      if (link.hash.slice(1) === id) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    const details = this.groups.querySelector<HTMLDetailsElement>(
      `details[data-group="${CSS.escape(group)}"]`,
    );
    if (details) details.open = true;
    this.list.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }

  /** Shows or hides the list, which covers the content on a narrow screen. */
  open(isOpen: boolean): void {
    document.body.classList.toggle('menu-open', isOpen);
    this.menu.setAttribute('aria-expanded', String(isOpen));
  }

  private groupList(): Child[] {
    const { operations, tags } = this.reference;
    const methods = operations.filter(({ method }) => method !== null);
    const rest = operations.filter(({ method }) => method === null);
    const namespaces = [...new Set(methods.map(({ group }) => group))].sort();
    return [
      el('a', { class: 'home', href: '#' }, 'Start'),
      el('h2', {}, `Methods (${methods.length})`),
      ...namespaces.map((name) => this.group(name, methods)),
      el('h2', {}, `HTTP API (${rest.length})`),
      ...tags.map(({ name }) => this.group(name, rest)),
    ];
  }

  private group(name: string, operations: Operation[]): HTMLElement | null {
    const own = operations.filter(({ group }) => group === name);
    if (own.length === 0) return null;
    const count = el('span', { class: 'count' }, String(own.length));
    return el('details', { 'data-group': name }, el('summary', {}, name, count), this.links(own));
  }

  private links(operations: Operation[], isSearch = false): HTMLElement {
    return el(
      'ul',
      {},
      ...operations.map((operation) => {
        const { id, verb, method, title, summary } = operation;
        const name = method === null || isSearch ? title : title.slice(title.indexOf('.') + 1);
        return el(
          'li',
          {},
          el(
            'a',
            { href: `#${id}`, ...(id === this.current ? { 'aria-current': 'page' } : {}) },
            method === null ? el('span', { class: `verb ${verb.toLowerCase()}` }, verb) : null,
            el('span', { class: 'label' }, name),
            isSearch && method !== null && summary !== method ? el('span', { class: 'hint' }, summary) : null,
          ),
        );
      }),
    );
  }

  private showFound(): void {
    const text = this.input.value.trim();
    const found = search(this.reference.operations, text);
    this.list.replaceChildren(text === '' ? this.groups : this.links(found, true));
    this.found.textContent =
      text === ''
        ? ''
        : found.length === 0
          ? 'Nothing is called that. Try one word of it.'
          : `${found.length} found`;
  }

  private onKey(event: KeyboardEvent): void {
    const links = [...this.list.querySelectorAll<HTMLAnchorElement>('a')].filter(
      (link) => link.offsetParent !== null,
    );
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const next = at + (event.key === 'ArrowDown' ? 1 : -1);
      (next < 0 ? this.input : links[next])?.focus();
    } else if (event.key === 'Enter' && event.target === this.input && this.input.value.trim() !== '')
      links[0]?.click();
    else if (event.key === 'Escape') {
      this.input.value = '';
      this.showFound();
      // A link of the search that had the focus is gone.
      this.input.focus();
    }
  }

  private onShortcut(event: KeyboardEvent): void {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    const isWanted =
      (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
    if (!isWanted) return;
    event.preventDefault();
    this.open(true);
    this.input.focus();
    this.input.select();
  }
}
