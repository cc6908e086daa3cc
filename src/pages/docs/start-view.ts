import { BASE } from '../shared/base.ts';
import { breakable, IN_PATH } from '../shared/breakable.ts';
import { el } from '../shared/dom.ts';
import type { Operation, Reference } from './reference.ts';
import { inline, richText } from './rich-text.ts';

const FIRST = ['messages.sendMessage', 'readUpdates', 'createWebhook', 'listMethods'];

const DOCUMENTS = {
  problems: 'Every error, and what to do about it',
  'openapi.json': 'This reference as OpenAPI 3.1, for generators of code',
  'openapi-shallow.json': 'The same without recursion, for tools that follow every reference',
  'asyncapi.json': 'What is on the update streams, as AsyncAPI',
};

/** The start page, before an operation is chosen. */
export function startView(reference: Reference): HTMLElement {
  const { info, tags, operations } = reference;
  const first = FIRST.flatMap((id) => reference.find(id) ?? []);
  const groups = tags.filter(({ name }) => operations.some(({ group }) => group === name));
  return el(
    'article',
    { class: 'start' },
    el('h1', { tabindex: '-1' }, 'Switchboard API'),
    el('p', { class: 'crumb' }, `Version ${info.version}`),
    el('div', { class: 'lead' }, ...richText(info.description)),
    el('h2', {}, 'Begin here'),
    el('ul', { class: 'cards' }, ...first.map(card)),
    el('h2', {}, 'Parts'),
    el(
      'ul',
      { class: 'parts' },
      ...groups.map(({ name, description }) =>
        el(
          'li',
          {},
          el('a', { href: `#group/${encodeURIComponent(name)}` }, name),
          ' ',
          ...inline(description),
        ),
      ),
    ),
    el('h2', {}, 'Documents'),
    el(
      'ul',
      { class: 'parts' },
      ...Object.entries(DOCUMENTS).map(([path, about]) =>
        el('li', {}, el('a', { href: `${BASE}/${path}` }, path), ' ', about),
      ),
    ),
  );
}

/** The operations of a group. */
export function groupView(reference: Reference, group: string): HTMLElement | null {
  const found = reference.operations.filter((operation) => operation.group === group);
  if (found.length === 0) return null;
  const about = reference.tags.find(({ name }) => name === group)?.description;
  return el(
    'article',
    { class: 'start' },
    el('h1', { tabindex: '-1' }, group),
    about === undefined ? null : el('p', { class: 'lead' }, about),
    el('ul', { class: 'cards' }, ...found.map(card)),
  );
}

function card({ id, verb, method, title, summary, path }: Operation): HTMLElement {
  return el(
    'li',
    {},
    el(
      'a',
      { href: `#${id}` },
      el('strong', {}, title),
      el('span', {}, ...(method === null ? [`${verb} `, ...breakable(path, IN_PATH)] : [summary])),
    ),
  );
}
