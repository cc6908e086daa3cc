import { beforeEach, expect, it, vi } from 'vitest';
import { PermitsPerCall } from '../../../src/queue/submit/window/permits-per-call.ts';

let permits: PermitsPerCall;

beforeEach(() => {
  permits = new PermitsPerCall();
});

function note(workspaceId: string, costs: number[]): void {
  for (const cost of costs) permits.note(workspaceId, cost);
}

it('takes one permit for a call of a workspace whose calls have cost no more', () => {
  expect(permits.of('new')).toBe(1);
  note('cheap', [1, 1, 1]);
  note('costly', [40]);
  expect([permits.of('cheap'), permits.of('new')]).toEqual([1, 1]);
});

it('takes about as many as the calls of the last seconds have cost on average, in whole permits', () => {
  note('a', [40]);
  expect(permits.of('a')).toBe(14);
  note('a', Array(500).fill(40));
  expect(permits.of('a')).toBe(40);
  note('a', Array(500).fill(1));
  expect(permits.of('a')).toBe(20);
});

it('takes no fewer after a handful of cheap calls that follow a hundred costly ones', () => {
  note('a', [...Array(100).fill(64), ...Array(20).fill(1)]);
  expect(permits.of('a')).toBeGreaterThan(50);
});

it('takes no more than it may', () => {
  note('a', Array(500).fill(40));
  permits.limit(12);
  expect(permits.of('a')).toBe(12);
  permits.limit(100);
  expect(permits.of('a')).toBe(40);
});

it('forgets over some seconds, and not in a pause between two bursts', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  permits = new PermitsPerCall();
  note('a', Array(20).fill(40));
  vi.advanceTimersByTime(300);
  permits.decay();
  expect(permits.of('a')).toBeGreaterThan(30);
  vi.advanceTimersByTime(60_000);
  permits.decay();
  expect(permits.of('a')).toBe(1);
  note('a', Array(500).fill(40));
  expect(permits.of('a')).toBe(40);
  vi.useRealTimers();
});
