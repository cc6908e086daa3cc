import { expect, it } from 'vitest';
import { Ring } from '../../src/ring.ts';

it('gives what was pushed, the oldest first, however much of it there is', () => {
  const ring = new Ring<number>();
  const taken: (number | undefined)[] = [];
  let pushed = 0;
  // It grows while its oldest item is in the middle of its slots, and is empty in between.
  for (const [more, fewer] of [
    [10, 7],
    [30, 33],
    [5_000, 4_000],
    [100, 1_100],
    [3, 3],
  ] as const) {
    for (let count = 0; count < more; count += 1) ring.push(pushed++);
    for (let count = 0; count < fewer; count += 1) taken.push(ring.shift());
  }
  expect(taken).toEqual(Array.from({ length: pushed }, (_, index) => index));
  expect([ring.size, ring.first, ring.shift()]).toEqual([0, undefined, undefined]);
});

it('shows how many items there are, and the oldest', () => {
  const ring = new Ring<string>();
  for (const one of ['a', 'b', 'c']) ring.push(one);
  ring.shift();
  expect([ring.size, ring.first]).toEqual([2, 'b']);
});
