import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entryIdOf, isOffset, offsetOf, ZERO_OFFSET } from '../../../src/updates/offset.ts';

const entry = fc.tuple(fc.maxSafeNat(), fc.nat(500));

test('an offset stands for one entry, and offsets sort as entries do', () => {
  fc.assert(
    fc.property(entry, entry, ([txidA, indexA], [txidB, indexB]) => {
      const [a, b] = [offsetOf(`${txidA}-${indexA}`), offsetOf(`${txidB}-${indexB}`)];
      expect(isOffset(a)).toBe(true);
      expect(entryIdOf(a)).toBe(`${txidA}-${indexA}`);
      expect(Math.sign(a < b ? -1 : a > b ? 1 : 0)).toBe(Math.sign(txidA - txidB || indexA - indexB));
    }),
  );
});

test('the first offset comes before every other', () => {
  expect(isOffset(ZERO_OFFSET)).toBe(true);
  expect(entryIdOf(ZERO_OFFSET)).toBe('0-0');
});

test.each(['', '-1', 'now', '1-1', '0_0', `${ZERO_OFFSET} `, ZERO_OFFSET.replace('_', '-')])(
  '%j is no offset',
  (text) => {
    expect(isOffset(text)).toBe(false);
  },
);
