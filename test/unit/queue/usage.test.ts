import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Usage } from '../../../src/queue/submit/usage.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('gives the workspaces that ask for most, smoothed over some seconds, and forgets those that fall silent', () => {
  const usage = new Usage();
  for (let second = 0; second < 30; second += 1) {
    for (let i = 0; i < 20; i += 1) usage.count('busy', i % 4 === 0);
    usage.count('quiet', false);
    vi.advanceTimersByTime(1_000);
    usage.heaviest(1);
  }
  expect(usage.arrived).toBe(630);
  const [first, second] = usage.heaviest(10);
  expect(first?.workspaceId).toBe('busy');
  expect(first?.callsPerSecond).toBeCloseTo(20, 1);
  expect(first?.refusedPerSecond).toBeCloseTo(5, 1);
  expect(second?.callsPerSecond).toBeCloseTo(1, 1);
  for (let i = 0; i < 60; i += 1) {
    vi.advanceTimersByTime(1_000);
    usage.heaviest(1);
  }
  expect(usage.heaviest(10)).toEqual([]);
});
