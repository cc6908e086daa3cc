import { type Child, el } from '../../shared/dom.ts';
import type { Api } from '../api.ts';
import { keepFocus } from '../parts/focus.ts';
import { RetriedRead } from '../retried-read.ts';

/** How a record is shown. */
interface Shown {
  title: string;
  facts: [name: string, value: Child][];
}

interface Parts<Found> {
  recordId: string;
  /** Links to views that can be filtered by the record, by their labels. */
  links: Record<string, string>;
  /** What stays where it is when the record is read again, such as a form. */
  content: Node[];
  show: (record: Found) => Shown;
}

/** A page about one record, or the API's error. */
export class RecordView<Found> {
  readonly node: HTMLElement;
  private readonly heading = el('h1', { tabindex: '-1' }, 'Reading…');
  private readonly failure = el('p', { class: 'failed', role: 'alert', hidden: true });
  private readonly facts = el('dl', { class: 'facts' });
  private readonly body: HTMLElement;
  private readonly reading: RetriedRead<Found>;

  constructor(api: Api, path: string, { recordId, links, content, show }: Parts<Found>) {
    const crumb = el('p', { class: 'crumb' }, el('a', { href: '#workspaces' }, 'Workspaces'));
    const more = Object.entries(links).map(([name, view]) => el('a', { href: `#${view}/${recordId}` }, name));
    const nav = el('nav', { class: 'links', 'aria-label': 'More about it' }, ...more);
    this.body = el('div', { hidden: true }, this.facts, nav, ...content);
    this.node = el('div', {}, crumb, this.heading, this.failure, this.body);
    this.reading = new RetriedRead<Found>(
      api,
      path,
      (record) => this.show(show(record)),
      (message) => this.fail(message),
    );
  }

  refresh(): void {
    this.reading.refresh();
  }

  stop(): void {
    this.reading.stop();
  }

  /** Shows the record as a change has left it, whatever a read finds that began before. */
  take(found: Found): void {
    this.reading.take(found);
  }

  private show({ title, facts }: Shown): void {
    const hadFocus = this.facts.contains(document.activeElement);
    this.heading.textContent = title;
    this.failure.hidden = true;
    this.facts.replaceChildren(
      ...facts.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))),
    );
    this.body.hidden = false;
    if (hadFocus) keepFocus();
  }

  private fail(message: string): void {
    if (this.body.hidden) this.heading.textContent = 'It cannot be shown';
    this.failure.hidden = false;
    // A screen reader reads out what changes.
    if (this.failure.textContent !== message) this.failure.textContent = message;
  }
}
