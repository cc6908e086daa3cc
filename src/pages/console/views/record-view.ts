import { type Child, el } from '../../shared/dom.ts';
import type { Api } from '../api.ts';

/** How a record is shown. */
interface Shown {
  title: string;
  facts: [name: string, value: Child][];
  /** Links to views that can be filtered by the record, by their labels. */
  links: Record<string, string>;
  about: string;
  content: Node[];
}

/** A page about one record, or the API's error. */
export function recordView<Found>(api: Api, path: string, show: (record: Found) => Shown): HTMLElement {
  const node = el(
    'div',
    {},
    el('p', { class: 'crumb' }, el('a', { href: '#workspaces' }, 'Workspaces')),
    el('h1', { tabindex: '-1' }, 'Reading…'),
  );
  const fill = (record: Found) => {
    const { title, facts, links, about, content } = show(record);
    const heading = node.querySelector('h1') as HTMLElement;
    heading.textContent = title;
    const terms = facts.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value)));
    const more = Object.entries(links).map(([name, view]) => el('a', { href: `#${view}/${about}` }, name));
    node.append(
      el('dl', { class: 'facts' }, ...terms),
      ...(more.length === 0 ? [] : [el('nav', { class: 'links', 'aria-label': 'More about it' }, ...more)]),
      ...content,
    );
  };
  api.get<Found>(path).then(fill, (error: Error) => {
    (node.querySelector('h1') as HTMLElement).textContent = 'It cannot be shown';
    node.append(el('p', { class: 'failed', role: 'alert' }, error.message));
  });
  return node;
}
