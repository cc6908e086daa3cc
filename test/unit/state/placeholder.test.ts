import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  enclose,
  encodeJson,
  lengthOf,
  Placeholder,
  type Template,
  toTemplate,
} from '../../../src/state/placeholder.ts';

const VALUES = ['11', '22', '33'];

function fill(template: Template): string {
  if (typeof template === 'string') return template;
  return template.map((piece, i) => (i % 2 === 0 ? piece : VALUES[piece as number])).join('');
}

const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(undefined, null, true, false, -0, 1e21, Number.NaN, Number.POSITIVE_INFINITY),
    fc.double(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\u00011\u0002', '\ud83d', '"\\', '__proto__'),
    fc.integer({ min: 0, max: 2 }).map((index) => new Placeholder(index)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: 'binary' }), tie('value'), { maxKeys: 5 }),
  ),
}));

it('leaves a place for each placeholder, wherever it stands, and is else what JSON.stringify makes', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), anyValue, { maxKeys: 6 }), (value) => {
      const filled = JSON.parse(
        JSON.stringify(value, function (this: Record<string, unknown>, name, json) {
          const member = this[name];
          return member instanceof Placeholder ? Number(VALUES[member.index]) : json;
        }),
      );
      const text = fill(encodeJson(value));
      expect(JSON.parse(text)).toEqual(filled);
      expect(text).toBe(JSON.stringify(filled));
    }),
    { numRuns: 500 },
  );
});

it.each([
  ['a placeholder alone', new Placeholder(1), '22'],
  ['an array', [1, new Placeholder(0), 'x'], '[1,11,"x"]'],
  ['an empty object', {}, '{}'],
  ['nothing but what JSON leaves out', { a: undefined, b: () => 1 }, '{}'],
  [
    'one in front and one behind',
    { a: new Placeholder(0), b: 'x', c: new Placeholder(2) },
    '{"a":11,"b":"x","c":33}',
  ],
  ['one beneath', { a: new Placeholder(0), b: { c: [new Placeholder(1)] } }, '{"a":11,"b":{"c":[22]}}'],
  ['a date', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
])('encodes %s', (_, value, json) => {
  expect(fill(encodeJson(value))).toBe(json);
});

it.each<[string | number, Template]>([
  ['a text', 'a text'],
  [7, '7'],
  ['', ''],
  ['\u0001 no mark \u0002', '\u0001 no mark \u0002'],
  [`before ${new Placeholder(1)} and ${new Placeholder(12)}`, ['before ', 1, ' and ', 12, '']],
  [new Placeholder(3) as unknown as number, ['', 3]],
  ['half \ud83d', 'half \ufffd'],
])('takes %j for a template as it is', (value, template) => {
  expect(toTemplate(value)).toEqual(template);
});

it.each<[Template, Template, number]>([
  ['b', 'abc', 1],
  [['b', 0, 'cd'], ['ab', 0, 'cdc'], 3],
  [['', 0], ['a', 0, 'c'], 0],
  [['b', 0, '', 1, 'd'], ['ab', 0, '', 1, 'dc'], 2],
])('puts text around %j', (template, enclosed, length) => {
  const before = structuredClone(template);
  expect(enclose('a', template, 'c')).toEqual(enclosed);
  expect(template).toEqual(before);
  expect(lengthOf(template)).toBe(length);
});

it('lets no placeholder be calculated with, and shows it in texts alone', () => {
  const placeholder = new Placeholder(5);
  expect(`${placeholder}`).toBe('\u00015\u0002');
  expect(() => Number(placeholder)).toThrow(TypeError);
  expect(() => (placeholder as unknown as number) > 1).toThrow(TypeError);
});
