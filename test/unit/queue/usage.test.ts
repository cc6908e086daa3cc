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

it('counts a workspace with few and costly calls among the heaviest, and one whose calls are refused', () => {
  const usage = new Usage();
  for (let second = 0; second < 30; second += 1) {
    for (let i = 0; i < 10; i += 1) {
      usage.count('usual', false);
      usage.countServed('usual', 1);
    }
    for (let i = 0; i < 15; i += 1) usage.count('refused', true);
    usage.count('costly', false);
    usage.countServed('costly', 20);
    vi.advanceTimersByTime(1_000);
    usage.heaviest(1);
  }
  const rounded = usage
    .heaviest(10)
    .map(({ workspaceId, callsPerSecond, costPerSecond }) => [
      workspaceId,
      Math.round(callsPerSecond),
      Math.round(costPerSecond),
    ]);
  expect(rounded).toEqual([
    ['costly', 1, 20],
    ['refused', 15, 0],
    ['usual', 10, 10],
  ]);
});
