import fc from 'fast-check';
import { expect, test } from 'vitest';
import { generateApiKey, hashSecret, isWellFormedKey } from '../../../src/directory/key-format.ts';

test('an API key has its documented form and a valid checksum', () => {
  for (let count = 0; count < 1_000; count++) {
    const key = generateApiKey();
    expect(key).toMatch(/^sb_[0-9A-Za-z]{49}$/);
    expect(isWellFormedKey(key)).toBe(true);
  }
});

test('no two keys are the same', () => {
  const keys = new Set(Array.from({ length: 10_000 }, generateApiKey));
  expect(keys.size).toBe(10_000);
});

test('every base62 digit occurs about equally often', () => {
  const counts = new Map<string, number>();
  for (let count = 0; count < 5_000; count++) {
    for (const digit of generateApiKey().slice(3, 46)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  }
  expect(counts.size).toBe(62);
  const expected = (5_000 * 43) / 62;
  for (const count of counts.values()) expect(Math.abs(count / expected - 1)).toBeLessThan(0.15);
});

test('a key with one character changed is refused', () => {
  fc.assert(
    fc.property(fc.nat(48), fc.stringMatching(/^[0-9A-Za-z]$/), (at, character) => {
      const key = generateApiKey();
      const altered = key.slice(0, 3 + at) + character + key.slice(4 + at);
      expect(isWellFormedKey(altered)).toBe(altered === key);
    }),
  );
});

test.each(['', 'sb_', 'sb', generateApiKey().slice(1), `${generateApiKey()}x`, ` ${generateApiKey()}`])(
  '%j is no key',
  (text) => {
    expect(isWellFormedKey(text)).toBe(false);
  },
);

test('a secret is kept as its SHA-256', () => {
  expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
