import { expect, it } from 'vitest';
import { findJsonError } from '../../../src/api/server/find-json-error.ts';

it.each([
  ['{"a":1,}', 1, 8],
  ['{"name":', 1, 9],
  ['{} {}', 1, 4],
  ["{'name':1}", 1, 2],
  ['{"name":NaN}', 1, 9],
  ['[1,2', 1, 5],
  ['"a\nb"', 1, 3],
  ['{"a" 1}', 1, 6],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
  ['{\r\n  "a": tru\r\n}', 2, 8],
  ['[1,]', 1, 4],
  ['[]]', 1, 3],
  ['{"a":[1,{"b":"x\\q"}]}', 1, 17],
  ['["\\u12g4"]', 1, 4],
  ['01', 1, 2],
  ['nulll', 1, 5],
  ['{"a":[{}],"b":[[]],}', 1, 20],
  ['', 1, 1],
])('%j goes wrong in line %i, column %i', (text, line, column) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(findJsonError(text)).toEqual({ line, column });
});
