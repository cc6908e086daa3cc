import { expect, it } from 'vitest';
import { decodeFirst } from '../../../workers/sandbox/model/passkeys/cbor.ts';

const ZERO = Buffer.of(0);

/** An array of up to 255 of the same. */
function arrayOf(size: number, item: Buffer): Buffer {
  return Buffer.concat([Buffer.of(0x98, size), ...Array<Buffer>(size).fill(item)]);
}

/** A map of up to 23 numbers to the same. */
function mapOf(size: number, value: Buffer): Buffer {
  return Buffer.concat([
    Buffer.of(0xa0 + size),
    ...Array.from({ length: size }, (_, key) => [Buffer.of(key), value]).flat(),
  ]);
}

const nested = (depth: number): Buffer => (depth === 0 ? ZERO : arrayOf(1, nested(depth - 1)));

it('256 values are decoded, also one in the other', () => {
  expect(decodeFirst(arrayOf(255, ZERO))).toEqual([Array(255).fill(0), Buffer.of()]);
  expect(decodeFirst(arrayOf(3, arrayOf(84, ZERO)))[0]).toHaveLength(3);
  expect(decodeFirst(nested(255))[0]).toHaveLength(1);
  const [first, rest] = decodeFirst(Buffer.concat([arrayOf(255, ZERO), mapOf(2, ZERO)]));
  expect(first).toHaveLength(255);
  expect(decodeFirst(rest)).toEqual([
    new Map([
      [0, 0],
      [1, 0],
    ]),
    Buffer.of(),
  ]);
});

it.each([
  ['an array', arrayOf(255, arrayOf(0, ZERO)), Buffer.concat([Buffer.of(0x99, 1, 0), Buffer.alloc(256)])],
  ['arrays of few', arrayOf(3, arrayOf(84, ZERO)), arrayOf(3, arrayOf(85, ZERO))],
  ['arrays of arrays', arrayOf(2, arrayOf(63, ZERO)), arrayOf(3, arrayOf(128, arrayOf(128, ZERO)))],
  ['arrays of one', nested(255), nested(256)],
  ['maps', mapOf(10, mapOf(11, ZERO)), mapOf(11, mapOf(11, ZERO))],
])('more of them are refused, whatever they are in: %s', (_, most, tooMany) => {
  expect(decodeFirst(most)[1]).toHaveLength(0);
  expect(() => decodeFirst(tooMany)).toThrow(RangeError);
});
