import { BASE } from '../shared/base.ts';
import { breakable, IN_NAME, IN_PATH } from '../shared/breakable.ts';
import { type Child, el, unfolding } from '../shared/dom.ts';
import type { Answer, Operation, Parameter, Reference, Schema } from './reference.ts';
import { inline, richText } from './rich-text.ts';
import { field, fieldsOf, labelOf } from './schema-view.ts';

/** The documentation of an operation, next to its form. */
export function operationView(reference: Reference, operation: Operation, form: HTMLElement): HTMLElement {
  const { id, verb, path, group, title, summary, description, method, answers } = operation;
  return el(
    'article',
    { class: 'operation' },
    el(
      'header',
      {},
      el('p', { class: 'crumb' }, el('a', { href: `#group/${encodeURIComponent(group)}` }, group)),
      el('h1', { tabindex: '-1' }, ...breakable(title, IN_NAME), ' ', anchor(id)),
      method === null || summary === method ? null : el('p', { class: 'lead' }, summary),
      el(
        'p',
        { class: 'address' },
        el('span', { class: `verb ${verb.toLowerCase()}` }, verb),
        ' ',
        el('code', {}, ...breakable(path, IN_PATH)),
      ),
    ),
    form,
    el(
      'div',
      { class: 'about' },
      ...richText(description),
      ...paramsOf(reference, operation),
      el('h2', {}, 'Answers'),
      el(
        'ul',
        { class: 'answers' },
        ...answers.map(([status, answer]) => answerView(reference, status, answer)),
      ),
    ),
  );
}

function anchor(id: string): HTMLElement {
  return el('a', { class: 'anchor', href: `#${id}`, 'aria-label': 'Link to this' }, '#');
}

function paramsOf(reference: Reference, { method, body, parameters }: Operation): Child[] {
  const schema = body?.schema === undefined ? null : reference.resolve<Schema>(body.schema);
  const params = schema?.properties?.params;
  const { params: _, ...besides } = schema?.properties ?? {};
  const parts: Child[] = [];
  if (method !== null && params !== undefined)
    parts.push(el('h2', {}, 'Params'), fieldsOf(reference, params));
  else if (schema !== null) parts.push(el('h2', {}, 'Body'), fieldsOf(reference, schema));
  for (const [place, heading] of Object.entries({ path: 'Path', query: 'Query', header: 'Headers' })) {
    const found = parameters.filter((parameter) => parameter.in === place);
    if (found.length > 0) parts.push(...parameterList(reference, heading, found));
  }
  if (method !== null && Object.keys(besides).length > 0)
    parts.push(el('h2', {}, 'Beside the params'), fieldsOf(reference, { properties: besides }));
  return parts;
}

function parameterList(reference: Reference, heading: string, parameters: Parameter[]): Child[] {
  const items = parameters.map(({ name, schema, description, required = false }) =>
    field(reference, name, description === undefined ? schema : { ...schema, description }, required),
  );
  return [el('h2', {}, heading), el('ul', { class: 'fields' }, ...items)];
}

function answerView(reference: Reference, status: string, { description, content }: Answer): HTMLElement {
  const schema = Object.values(content ?? {})[0]?.schema;
  const [meaning = '', ...errors] = description.split('\n- ');
  const isOk = status.startsWith('2');
  return el(
    'li',
    {},
    el('span', { class: isOk ? 'status ok' : 'status' }, status),
    ' ',
    el('span', {}, ...inline(errors.length > 0 ? meaning.replace(/:$/, '') : meaning)),
    errors.length === 0 ? null : el('ul', { class: 'errors' }, ...errors.map(errorView)),
    !isOk || schema === undefined
      ? null
      : unfolding(
          [labelOf(reference, schema) === 'object' ? 'Members' : labelOf(reference, schema)],
          () => [fieldsOf(reference, itemOf(reference, schema))],
          { class: 'nested' },
        ),
  );
}

function itemOf(reference: Reference, schema: Schema): Schema {
  const { items } = reference.resolve<Schema>(schema);
  return items ?? schema;
}

/** A line of an answer's description: the code of an error, and what it means. */
function errorView(line: string): HTMLElement {
  const [, code = '', meaning = line] = /^`([^`]+)`\s*(.*)$/s.exec(line) ?? [];
  if (code === '') return el('li', {}, ...inline(line));
  return el(
    'li',
    {},
    el('a', { href: `${BASE}/problems/${encodeURIComponent(code)}` }, el('code', {}, code)),
    ' ',
    ...inline(meaning),
  );
}
