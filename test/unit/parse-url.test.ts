import { expect, it } from 'vitest';
import { parseUrl } from '../../src/parse-url.ts';
import { leastCpuMs } from '../support/growth.ts';

const LENGTH = 400_000;
const HELD_MAX_MS = 50;
const hanzi = (count: number) =>
  Array.from({ length: count }, (_, n) => String.fromCharCode(0x4e00 + n)).join('');

it.each([
  'https://example.com/updates?a=b#c',
  'http://name:password@example.com:8080/',
  `https://example.com/${'x'.repeat(10_000)}`,
  `https://${'a'.repeat(60)}.${'b'.repeat(60)}.example.com`,
  `https://${hanzi(20)}.example`,
  'https:\\\\example.com',
  'tg://resolve?domain=a',
])('parses %s', (text) => {
  expect(parseUrl(text, 20_000)?.href).toBe(new URL(text).href);
});

it.each(['', 'example.com', 'https://', 'https://a b', 'https://example.com:99999'])(
  'is null for %j',
  (text) => {
    expect(parseUrl(text, 20_000)).toBeNull();
  },
);

it('refuses what is too long', () => {
  expect(parseUrl('https://a.b', 11)).not.toBeNull();
  expect(parseUrl('https://a.b', 10)).toBeNull();
});

it.each([
  ['marks', `https://a${'\u0301'.repeat(LENGTH / 2)}${'\u0316'.repeat(LENGTH / 2)}`],
  ['other scripts', `https://${hanzi(20_000)}.com/path`],
  ['tabs among the slashes', `https:/\t/\n\\${hanzi(20_000)}`],
  ['a space before', ` https:${hanzi(20_000)}`],
  ['a name before', `https://${hanzi(20_000)}@example.com`],
  ['slashes', `https:${'/'.repeat(LENGTH)}`],
  ['tabs', `https:${'\t'.repeat(LENGTH)}`],
])('takes little time for a host of %s', (_, text) => {
  expect(parseUrl(text, LENGTH + 20)).toBeNull();
  expect(leastCpuMs(() => parseUrl(text, LENGTH + 20), HELD_MAX_MS)).toBeLessThan(HELD_MAX_MS);
});
