import { type Child, el, unfolding } from '../shared/dom.ts';
import type { Reference, Schema } from './reference.ts';
import { inline } from './rich-text.ts';

// The bounds of int32 and int53 say nothing beyond the type.
const USUAL_BOUNDS = new Set([2 ** 31 - 1, -(2 ** 31), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

/** The members of an object, each with its type and description, or the forms of a union; inner types can be unfolded. */
export function fieldsOf(reference: Reference, given: Schema): HTMLElement {
  const { properties = {}, required = [], oneOf } = reference.resolve<Schema>(given);
  if (oneOf !== undefined) return formsOf(reference, oneOf);
  const names = Object.keys(properties).filter((name) => name !== '_');
  const isNeeded = (name: string) => required.includes(name);
  const sorted = [...names.filter(isNeeded), ...names.filter((name) => !isNeeded(name))];
  if (sorted.length === 0) return el('p', { class: 'muted' }, 'No members.');
  return el(
    'ul',
    { class: 'fields' },
    ...sorted.map((name) => field(reference, name, properties[name] ?? {}, isNeeded(name))),
  );
}

/** One named value: a member or a parameter. */
export function field(reference: Reference, name: string, given: Schema, isRequired: boolean): HTMLElement {
  const schema = reference.resolve<Schema>(given);
  const about = given.description ?? (inner(reference, given) === null ? schema.description : undefined);
  return el(
    'li',
    {},
    el('code', { class: 'name' }, name),
    ' ',
    el('span', { class: 'type' }, labelOf(reference, given)),
    isRequired ? el('span', { class: 'required' }, 'required') : null,
    about === undefined ? null : el('p', {}, ...inline(about), ...bounds(schema)),
    about === undefined && bounds(schema).length > 0 ? el('p', {}, ...bounds(schema)) : null,
    unfold(reference, given),
  );
}

function unfold(reference: Reference, given: Schema): HTMLElement | null {
  const found = inner(reference, given);
  if (found === null) return null;
  const { options, shape, name } = found;
  if (options === null)
    return unfolding([`Members of ${name}`], () => [fieldsOf(reference, shape)], { class: 'nested' });
  return unfolding([`${options.length} forms of ${name}`], () => [formsOf(reference, options)], {
    class: 'nested',
  });
}

function formsOf(reference: Reference, options: Schema[]): HTMLElement {
  const forms = options.map((option) => {
    const schema = reference.resolve<Schema>(option);
    const tag = schema.properties?._?.const;
    const name = typeof tag === 'string' ? tag : labelOf(reference, option);
    const heading: Child[] = [el('code', { class: 'name' }, name)];
    const about = schema.description === undefined ? null : el('p', {}, ...inline(schema.description));
    const hasMembers = Object.keys(schema.properties ?? {}).some((member) => member !== '_');
    return el(
      'li',
      {},
      hasMembers
        ? unfolding(heading, () => [fieldsOf(reference, schema)], { class: 'form' })
        : el('div', {}, ...heading),
      about,
    );
  });
  return el('ul', { class: 'fields' }, ...forms);
}

interface Inner {
  name: string;
  /** The forms of a union, or null for an object. */
  options: Schema[] | null;
  shape: Schema;
}

/** The members or options of a type, through references and arrays; null if the type is shown by its name only. */
function inner(reference: Reference, given: Schema): Inner | null {
  const schema = reference.resolve<Schema>(given);
  if (schema.items !== undefined) return inner(reference, schema.items);
  const options = (schema.oneOf ?? schema.anyOf)?.filter(({ type }) => type !== 'null');
  const [only] = options ?? [];
  if (options?.length === 1 && only !== undefined) return inner(reference, only);
  const name = labelOf(reference, given);
  if (options?.some((option) => inner(reference, option) !== null)) return { name, options, shape: schema };
  const hasMembers = Object.keys(schema.properties ?? {}).some((member) => member !== '_');
  return hasMembers ? { name, options: null, shape: schema } : null;
}

/** The readable name of a type. */
export function labelOf(reference: Reference, given: Schema): string {
  if (given.$ref !== undefined) {
    const target = reference.resolve<Schema>(given);
    const isNamed = target.properties !== undefined || (target.oneOf ?? target.anyOf) !== undefined;
    const name = given.$ref.slice(given.$ref.lastIndexOf('/') + 1);
    return isNamed
      ? name.replace(/^TL\./, '').replace(/(^|\.)Type(?=[A-Z])/, '$1')
      : labelOf(reference, target);
  }
  const { type, items, oneOf, anyOf, format } = given;
  if (given.const !== undefined) return JSON.stringify(given.const);
  if (given.enum !== undefined) return given.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (items !== undefined) return `${labelOf(reference, items)}[]`;
  const options = oneOf ?? anyOf;
  if (options !== undefined)
    return [...new Set(options.map((option) => labelOf(reference, option)))].join(' | ');
  if (given.contentEncoding === 'base64') return 'base64';
  const plain = [type ?? 'any'].flat().join(' | ');
  return plain === 'string' && format !== undefined ? `${format} as string` : plain;
}

function bounds({ minimum, maximum, minLength, maxLength, maxItems, default: usual }: Schema): Child[] {
  const bounds = [
    usual === undefined ? '' : `default ${JSON.stringify(usual)}`,
    minimum === undefined || USUAL_BOUNDS.has(minimum) ? '' : `at least ${minimum}`,
    maximum === undefined || USUAL_BOUNDS.has(maximum) ? '' : `at most ${maximum}`,
    minLength === undefined || minLength < 2 ? '' : `at least ${minLength} characters`,
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    maxItems === undefined ? '' : `at most ${maxItems} items`,
  ].filter((text) => text !== '');
  return bounds.length === 0 ? [] : [el('span', { class: 'bounds' }, ` ${bounds.join(', ')}`)];
}
