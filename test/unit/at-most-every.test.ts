import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { atMostEvery } from '../../src/at-most-every.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('runs once for all who ask within the time, and again after it', async () => {
  let runs = 0;
  const ask = atMostEvery(1_000, async () => {
    runs += 1;
    return runs;
  });
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  vi.advanceTimersByTime(999);
  expect(await ask()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await ask()).toBe(2);
});

it('does not keep a failure', async () => {
  let runs = 0;
  const ask = atMostEvery(1_000, async () => {
    runs += 1;
    if (runs === 1) throw new Error('away');
    return runs;
  });
  await expect(ask()).rejects.toThrow('away');
  expect(await ask()).toBe(2);
});
