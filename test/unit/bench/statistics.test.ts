import { expect, it } from 'vitest';
import { median, medianInterval } from '../../bench/report/statistics.ts';

it('gives the extremes of few values as the bounds of their median', () => {
  expect(medianInterval([3, 1, 2])).toEqual([1, 3]);
  expect(medianInterval([7])).toEqual([7, 7]);
  expect(medianInterval([])).toEqual([Number.NaN, Number.NaN]);
});

it('gives bounds that hold the median in 95 of 100 cases', () => {
  // A generator of its own: the same cases in each run.
  let state = 7;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  let held = 0;
  for (let round = 0; round < 1_000; round += 1) {
    const values = Array.from({ length: 60 }, random);
    const [low, high] = medianInterval(values);
    expect(low).toBeLessThanOrEqual(median(values));
    if (low <= 0.5 && high >= 0.5) held += 1;
  }
  expect(held).toBeGreaterThan(930);
  expect(held).toBeLessThan(985);
});
