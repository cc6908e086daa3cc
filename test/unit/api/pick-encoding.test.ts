import { expect, test } from 'vitest';
import { pickEncoding } from '../../../src/api/openapi/serve-document.ts';

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip;q=0.1', 'gzip'],
  ['br; q=0.000, gzip; q=0', 'identity'],
  ['*', 'br'],
  ['*, br;q=0', 'gzip'],
  ['deflate', 'identity'],
] as const)('of %j the best is %s', (header, encoding) => {
  expect(pickEncoding(header)).toBe(encoding);
});
