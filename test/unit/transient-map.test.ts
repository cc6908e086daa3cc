import { expect, it } from 'vitest';
import { TransientMap } from '../../src/transient-map.ts';

it('gives what was set, the oldest first, until it is deleted', () => {
  const map = new TransientMap<string, { n: number }>();
  for (const n of [1, 2, 3]) map.set(`k${n}`, { n });
  map.set('k1', { n: 4 });
  map.delete('k2');
  map.delete('unknown');
  expect(map.size).toBe(2);
  expect([map.get('k1'), map.get('k2'), map.get('unknown')]).toEqual([{ n: 4 }, undefined, undefined]);
  expect([...map.values()]).toEqual([{ n: 4 }, { n: 3 }]);
});

it('may lose values and gain others while it is looked through', () => {
  const map = new TransientMap<number, { n: number }>();
  for (const n of [1, 2, 3]) map.set(n, { n });
  const seen: number[] = [];
  for (const { n } of map.values()) {
    seen.push(n);
    map.delete(n + 1);
    if (n === 1) map.set(4, { n: 4 });
  }
  expect(seen).toEqual([1, 3]);
});

it('keeps what is left, in its order, however much comes and goes', () => {
  const map = new TransientMap<number, { n: number }>();
  const kept: number[] = [];
  for (let n = 0; n < 5_000; n += 1) {
    map.set(n, { n });
    if (n % 50 === 0) kept.push(n);
    else map.delete(n);
  }
  expect([...map.values()].map(({ n }) => n)).toEqual(kept);
  expect(kept.every((n) => map.get(n)?.n === n)).toBe(true);
  for (const { n } of map.values()) for (let other = n; other < n + 1_000; other += 1) map.delete(other);
  expect(map.size).toBe(0);
});
