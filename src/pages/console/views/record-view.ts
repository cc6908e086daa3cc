import { type Child, el } from '../../shared/dom.ts';
import type { Api } from '../api.ts';
import { keepFocus } from '../parts/focus.ts';

/** How a record is shown. */
interface Shown {
  title: string;
  facts: [name: string, value: Child][];
  /** Links to views that can be filtered by the record, by their labels. */
  links: Record<string, string>;
  recordId: string;
  content: Node[];
}

/** A page about one record, or the API's error. */
export class RecordView<Found> {
  readonly node: HTMLElement;
  private readonly api: Api;
  private readonly path: string;
  private readonly shown: (record: Found) => Shown;
  private readonly heading = el('h1', { tabindex: '-1' }, 'Reading…');
  private readonly body = el('div', {});
  private reads = 0;

  constructor(api: Api, path: string, shown: (record: Found) => Shown) {
    this.api = api;
    this.path = path;
    this.shown = shown;
    const crumb = el('p', { class: 'crumb' }, el('a', { href: '#workspaces' }, 'Workspaces'));
    this.node = el('div', {}, crumb, this.heading, this.body);
    void this.read();
  }

  /** Reads the record again. */
  async read(): Promise<void> {
    this.reads += 1;
    const own = this.reads;
    const found = await this.api.get<Found>(this.path).catch((error: Error) => error);
    if (own !== this.reads) return;
    const { activeElement } = document;
    const focused = this.body.contains(activeElement) ? (activeElement as HTMLElement) : null;
    if (found instanceof Error) {
      this.heading.textContent = 'It cannot be shown';
      this.body.replaceChildren(el('p', { class: 'failed', role: 'alert' }, found.message));
    } else this.show(this.shown(found));
    if (focused === null) return;
    focused.focus();
    keepFocus();
  }

  private show({ title, facts, links, recordId, content }: Shown): void {
    this.heading.textContent = title;
    const terms = facts.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value)));
    const more = Object.entries(links).map(([name, view]) => el('a', { href: `#${view}/${recordId}` }, name));
    this.body.replaceChildren(
      el('dl', { class: 'facts' }, ...terms),
      ...(more.length === 0 ? [] : [el('nav', { class: 'links', 'aria-label': 'More about it' }, ...more)]),
      ...content,
    );
  }
}
