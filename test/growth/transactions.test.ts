import { expect, it } from 'vitest';
import type { StateReader } from '../../src/state/batch-reads.ts';
import { Transaction } from '../../src/state/transaction.ts';
import { leastCpuMs } from '../support/growth.ts';

// Each of many takes longer than each of few, as memory is slower than caches: growth would look faster than linear. Looking through all for
// each takes seconds, and linear work about a tenth of one.
const MEMBERS = Array.from({ length: 65_536 }, (_, n) => n);
const MAX_MS = 1_000;

const aTransaction = () => new Transaction({} as StateReader, 'ws');

it('counters of one hash are raised in linear time', () => {
  const raise = () => {
    const tx = aTransaction();
    for (const member of MEMBERS) tx.allocate('counters', `pts:${member}`);
  };
  expect(leastCpuMs(raise, MAX_MS)).toBeLessThan(MAX_MS);
});

it('many keys are written to in linear time', () => {
  const write = () => {
    const tx = aTransaction();
    for (const member of MEMBERS) tx.hset(`messages:${member}`, 1, '');
  };
  expect(leastCpuMs(write, MAX_MS)).toBeLessThan(MAX_MS);
});
