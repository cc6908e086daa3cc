import { expect, it } from 'vitest';
import type { StateReader } from '../../src/state/batch-reads.ts';
import { Transaction } from '../../src/state/transaction.ts';
import { measureGrowth } from '../support/growth.ts';

const numbers = (size: number) => Array.from({ length: size }, (_, n) => n);

const aTransaction = () => new Transaction({} as StateReader, 'ws');

it('counters of one hash are raised in linear time', () => {
  const raise = (members: number[]) => {
    const tx = aTransaction();
    for (const member of members) tx.allocate('counters', `pts:${member}`);
  };
  expect(measureGrowth(numbers, 16_384, raise)).toMatchObject({ isLinear: true });
});

it('many keys are written to in linear time', () => {
  const write = (members: number[]) => {
    const tx = aTransaction();
    for (const member of members) tx.hset(`messages:${member}`, 1, '');
  };
  expect(measureGrowth(numbers, 16_384, write)).toMatchObject({ isLinear: true });
});
