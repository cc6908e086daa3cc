import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson as parse } from '../../../src/api/server/parse-json.ts';

const VALUES_MAX = 10_001;

const parseJson = (text: string) => parse(text, VALUES_MAX);

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

test.each(['', ' \n', ' '.repeat(10_000)])(
  'refuses names that are too long, before the colon: %j',
  (space) => {
    const body = (length: number) => `[{"${'n'.repeat(length)}"${space}:"${'v'.repeat(20_000)}"}]`;
    expect(() => parseJson(body(4_000))).not.toThrow();
    expect(() => parseJson(body(16_384))).toThrow(/longer than 4096/);
  },
);

test('siblings do not add up', () => {
  expect(parseJson(`[${'[],'.repeat(4_999)}[]]`)).toHaveLength(5_000);
});

test.each([
  ['arrays', '[],', '[]'],
  ['objects', '{},', '{}'],
  ['numbers', '0,', '0'],
  ['texts', '",[{\\\\\\"",', '""'],
  ['members', '"a":0,', '"a":0'],
])('refuses more than so many values of a body: %s', (_, one, last) => {
  const opens = one === '[],' || one === '{},' ? 2 : 1;
  const body = (count: number) => {
    const list = `${one.repeat(count - 1)}${last}`;
    return one === '"a":0,' ? `{${list}}` : `[${list}]`;
  };
  const most = Math.floor((VALUES_MAX + (opens === 1 ? 0 : 0)) / opens);
  expect(() => parseJson(body(most))).not.toThrow();
  expect(() => parseJson(body(most + 1))).toThrow(/^The body has more than 10001 values/);
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
