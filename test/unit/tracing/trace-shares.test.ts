import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TraceShares } from '../../../src/tracing/trace-shares.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

function taken(shares: TraceShares, asked: number, organizationId: string): number {
  return Array.from({ length: asked }, () => shares.take(organizationId)).filter(Boolean).length;
}

it('leaves traces to others however many an organization asks for', () => {
  const shares = new TraceShares({ TRACES_PER_SECOND: 100 });
  for (let second = 0; second < 3; second += 1) {
    expect(taken(shares, 10_000, 'loud')).toBe(50);
    expect(taken(shares, 10, 'quiet')).toBe(10);
    expect(taken(shares, 10_000, 'loud')).toBe(0);
    vi.advanceTimersByTime(1_000);
  }
});

it('gives organizations that ask for many at once the same, and no more than there are in all', () => {
  const shares = new TraceShares({ TRACES_PER_SECOND: 100 });
  const had = new Map<string, number>();
  for (let round = 0; round < 100; round += 1)
    for (const id of ['a', 'b', 'c']) if (shares.take(id)) had.set(id, (had.get(id) ?? 0) + 1);
  expect([...had.values()]).toEqual([25, 25, 25]);
  const all = Array.from({ length: 1_000 }, (_, index) => taken(shares, 1, `other ${index}`));
  expect(all.filter((count) => count > 0)).toHaveLength(25);
});

it('gives the only one there is to the first that asks', () => {
  const shares = new TraceShares({ TRACES_PER_SECOND: 1 });
  expect([shares.take('a'), shares.take('a'), shares.take('b')]).toEqual([true, false, false]);
  vi.advanceTimersByTime(1_000);
  expect(shares.take('b')).toBe(true);
});
