import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../../src/api/parse-json.ts';

test('parses all JSON that is not nested too deeply', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('brackets, quotes and backslashes in texts are no nesting', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('[', '{', ']', '}', '"', '\\', 'x'), {
        maxLength: 600,
      }),
      (characters) => {
        const value = { [characters.join('')]: [characters.join('')] };
        expect(parseJson(JSON.stringify(value))).toEqual(value);
      },
    ),
  );
});

test.each([
  ['[', ']'],
  ['{"a":', '}'],
  ['[{"\\"[":', '}]'],
])('refuses nesting of %s beyond 128 levels', (open, close) => {
  const levels = open.startsWith('[{') ? 64 : 128;
  const nested = (depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;
  expect(() => parseJson(nested(levels))).not.toThrow();
  expect(() => parseJson(nested(levels + 1))).toThrow(/deeper/);
  expect(() => parseJson(nested(20_000))).toThrow(/deeper/);
});

test('siblings do not add up', () => {
  expect(parseJson(`[${'[],'.repeat(10_000)}[]]`)).toHaveLength(10_001);
});

test.each(['', ' ', '{', '"', '"\\', '"\\"', '{"a"}', '[1,]', 'nul', '\u0000', '1 2'])(
  '%j is no JSON',
  (text) => {
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ code: 'invalid_json' }));
  },
);

test('__proto__ stays a member of its own', () => {
  const value = parseJson('{"__proto__":{"a":1}}') as object;
  expect(Object.keys(value)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});
