import { expect, it } from 'vitest';
import type { StateReader } from '../../../src/state/batch-reads.ts';
import { Transaction } from '../../../src/state/transaction.ts';

it('adds up the increments of each counter, of few and of many', () => {
  for (const [fields, rounds] of [
    [3, 3],
    [15, 2],
    [16, 2],
    [90, 5],
  ] as const) {
    const tx = new Transaction({} as StateReader, 'ws');
    for (let round = 1; round <= rounds; round += 1)
      for (let n = 0; n < fields; n += 1) tx.hincrby('counters', `c${n}`, 10 * n + round);
    const [, , , , names = [], raises = []] = tx.encode('').args;
    expect(names).toHaveLength(fields * rounds);
    const sums = new Map<unknown, unknown>(names.map((name, i) => [name, raises[2 * i]]));
    const sumOf = (n: number) => rounds * 10 * n + (rounds * (rounds + 1)) / 2;
    expect(sums).toEqual(new Map(Array.from({ length: fields }, (_, n) => [`c${n}`, sumOf(n)])));
  }
});

it('finds each key again, among few and among many', () => {
  const tx = new Transaction({} as StateReader, 'ws');
  for (let round = 0; round < 2; round += 1)
    for (let n = 0; n < 40; n += 1) tx.hset(`key:${n}`, `field ${round}`, '');
  const { keys, writes } = tx.encode('');
  expect(keys.map(({ name }) => name)).toEqual(Array.from({ length: 40 }, (_, n) => `key:${n}`));
  expect(writes).toEqual(Array(40).fill(2));
  expect([...tx.changesOf('key:39').keys()]).toEqual(['field 0', 'field 1']);
  expect(tx.changesOf('key:40').size).toBe(0);
});
