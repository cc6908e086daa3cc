import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldsOf, isListHash, type TlField } from '../../src/tl/field.ts';
import { fillFlags } from '../../src/tl/fill-flags.ts';
import { findMethod, type TlMethod } from '../../src/tl/methods.ts';
import { validateObject } from '../../src/tl/validate-object.ts';
import { validateParams } from '../../src/tl/validate-params.ts';
import { methods } from '../../workers/sandbox/methods.ts';
import { measureGrowth, repeatTo } from '../support/growth.ts';
import { paramsOf } from '../support/tl/tl-arbitraries.ts';

const TEXT_MAX = 1024 * 1024;
const ITEMS_MAX = 16_384;
const TEXTS = ['a', '1', '-', '_', '=', 'AAAA', '-_A_', '+/A/', '\u{1f600}', '\ud800'];

/** Ways to make a field of a method large, given a value that fits it. */
function enlarge(field: TlField, fitting: unknown): [string, number, (size: number) => unknown][] {
  const [item] = Array.isArray(fitting) ? fitting : [fitting];
  const ways: [string, number, (size: number) => unknown][] = [
    ['items that fit', ITEMS_MAX, (size) => Array(size).fill(item ?? {})],
    ['items that do not', ITEMS_MAX, (size) => Array(size).fill(null)],
    [
      'members',
      ITEMS_MAX,
      (size) => Object.fromEntries(Array.from({ length: size }, (_, at) => [`${field.name}${at}`, 1])),
    ],
    ['a long tag', TEXT_MAX, (size) => ({ _: repeatTo('a', size) })],
  ];
  if (['string', 'bytes', 'long', 'int128', 'int256'].includes(field.type))
    for (const text of TEXTS)
      ways.push([`text of ${text}`, TEXT_MAX, (size) => wrap(field, repeatTo(text, size))]);
  return ways;
}

function wrap({ isVector }: TlField, text: string): unknown {
  return isVector ? [text] : text;
}

const measured = new Set<string>();

/**
 * Whether a field has to be measured. One check stands behind all single values of a type, whichever method they are of: to measure the
 * first says as much as to measure all, which takes a minute.
 */
function isWorthMeasuring({ entry }: TlMethod, field: TlField): boolean {
  if (field.isVector) return true;
  const check = isListHash(entry, field) ? 'the hash of a list' : field.type;
  const isNew = !measured.has(check);
  measured.add(check);
  return isNew;
}

describe.each(Object.keys(methods))('params of %s', (name) => {
  const method = findMethod(name) as TlMethod;
  const [params = {}] = fc.sample(paramsOf(method), { seed: 7, numRuns: 1 });
  const fields = fieldsOf(method.entry);

  it('are checked in proportion to what they hold', () => {
    const check = (given: object) => validateParams(method, given);
    for (const field of fields.filter((one) => isWorthMeasuring(method, one))) {
      for (const [what, size, make] of enlarge(field, params[field.name])) {
        const growth = measureGrowth((at) => ({ ...params, [field.name]: make(at) }), size, check);
        expect({ field: field.name, what, ...growth }).toMatchObject({ isLinear: true });
      }
    }
    const unknown = (size: number) =>
      Object.fromEntries(Array.from({ length: size }, (_, at) => [`${fields[0]?.name ?? 'a'}${at}`, 1]));
    expect(measureGrowth((at) => ({ ...params, ...unknown(at) }), ITEMS_MAX, check).isLinear).toBe(true);
  });
});

it('a sponsored message is checked in proportion to what it holds', () => {
  const message = {
    _: 'sponsoredMessage',
    randomId: 'AAAA',
    url: 'a',
    title: 'a',
    message: 'a',
    buttonText: 'a',
  };
  const check = (given: object) => validateObject('sponsoredMessage', { ...message, ...given }, '');
  const entity = { _: 'messageEntityBold', offset: 0, length: 1 };
  for (const text of TEXTS)
    expect(measureGrowth((size) => ({ message: repeatTo(text, size) }), TEXT_MAX, check).isLinear).toBe(true);
  expect(measureGrowth((size) => ({ entities: Array(size).fill(entity) }), ITEMS_MAX, check).isLinear).toBe(
    true,
  );
  expect(
    measureGrowth((size) => ({ entities: Array(size).fill({ _: 'x' }) }), ITEMS_MAX, check).isLinear,
  ).toBe(true);
});

it('a result is made whole in proportion to what callers put into it', () => {
  const text = { _: 'textBold', text: { _: 'textPlain', text: 'a' } };
  const message = (size: number) => ({
    _: 'richMessage',
    blocks: [{ _: 'pageBlockParagraph', text: { _: 'textConcat', texts: Array(size).fill(text) } }],
    photos: [],
    documents: [],
  });
  expect(measureGrowth(message, ITEMS_MAX, fillFlags).isLinear).toBe(true);
});
