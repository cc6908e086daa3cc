import { expect, it } from 'vitest';
import { quantileMs, RecentDurations } from '../../../src/fleet/recent-durations.ts';

it('tells quantiles over all processes, an eighth more or less', () => {
  const [a, b] = [new RecentDurations(), new RecentDurations()];
  for (let ms = 1; ms <= 500; ms += 1) a.observe(ms);
  for (let ms = 501; ms <= 1_000; ms += 1) b.observe(ms);
  const told = [a.take(), b.take()];
  for (const share of [0.1, 0.5, 0.99]) {
    const found = quantileMs(told, share) as number;
    expect(Math.abs(found - share * 1_000)).toBeLessThan(share * 1_000 * 0.13);
  }
});

it('forgets within seconds, and takes any duration', () => {
  const durations = new RecentDurations();
  for (const ms of [0, -1, 1e-9, 1e12]) durations.observe(ms);
  expect(durations.take().length).toBeLessThanOrEqual(64);
  for (let i = 0; i < 30; i += 1) durations.take();
  expect(quantileMs([durations.take()], 0.5)).toBe(null);
});
